net = nn.Linear(4, 1)

def train_step():
    net.zero_grad()
    F.mse_loss(net(x), y).backward()
    return net.weight.grad.abs().max().item()
