# says_all = ["step()"]

net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(3):
        for i in range(0, 16, 4):
            opt.zero_grad()
            loss = F.cross_entropy(net(x[i:i + 4]), classes[i:i + 4])
            loss.backward()
