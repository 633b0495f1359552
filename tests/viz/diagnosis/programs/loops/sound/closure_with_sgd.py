net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.05)

def train_step():

    def closure():
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        return loss
    return opt.step(closure)
