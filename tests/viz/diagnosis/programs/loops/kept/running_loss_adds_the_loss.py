# says_all = ["running_loss"]

net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(2):
        running_loss = 0.0
        for i in range(0, 16, 4):
            opt.zero_grad()
            out = net(x[i:i + 4])
            loss = F.cross_entropy(out, classes[i:i + 4])
            loss.backward()
            opt.step()
            running_loss += loss
