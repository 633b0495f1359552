# subject = "Sizes of gradients"
# says_all = ["`net.weight`"]

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
big = x * 1e5

with viz.diagnose() as report:
    for i in range(2):
        opt.zero_grad()
        loss = F.mse_loss(net(big), y * 1e5)
        loss.backward()
        opt.step()
