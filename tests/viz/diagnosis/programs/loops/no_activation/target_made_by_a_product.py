# subject = "A line that shows the layer's operation, and makes the target"
# says_all = ["`loss = F.mse_loss(net(x), goal)`"]

A = T.randn(4, 3)
net = nn.Sequential(nn.Linear(4, 6), nn.Linear(6, 1))
goal = (x @ A / 6).sum(1, keepdim=True)
opt = optim.SGD(net.parameters(), lr=0.02)

with viz.diagnose() as report:
    for i in range(3):
        loss = F.mse_loss(net(x), goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
