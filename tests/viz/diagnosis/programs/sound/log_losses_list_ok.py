net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
logs = {"train": [], "val": []}
for i in range(3):
    loss = net(T.randn(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    logs["train"].append(loss.detach())
    with T.no_grad():
        logs["val"].append(net(T.randn(3, 2)).pow(2).mean())
