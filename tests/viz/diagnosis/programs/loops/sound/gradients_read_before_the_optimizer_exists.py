net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    net.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    return net.weight.grad.norm().item()
for i in range(2):
    train_step()
    opt.step()
