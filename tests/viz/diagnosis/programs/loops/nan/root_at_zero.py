# subject = "Sizes of gradients"
# says_all = ["`net.weight`"]

net = nn.Linear(4, 1, bias=False)
opt = optim.SGD(net.parameters(), lr=0.1)
same = T.zeros(16, 4)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        distance = T.sqrt((net(same) ** 2).sum())
        distance.backward()
        opt.step()
