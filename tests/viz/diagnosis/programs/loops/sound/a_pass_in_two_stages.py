net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.05)

with viz.diagnose() as report:
    for i in range(3):
        out = net(x)
        copy = out.detach().requires_grad_()
        loss = F.mse_loss(copy, y)
        opt.zero_grad()
        loss.backward()
        out.backward(copy.grad)
        opt.step()
