net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    loss = net(T.ones(1, 2)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with T.no_grad():
        score = net(T.zeros(1, 2)).item()
