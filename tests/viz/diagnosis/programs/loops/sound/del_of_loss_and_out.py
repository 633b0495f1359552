net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        out = net(x)
        loss = F.mse_loss(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        del out, loss
