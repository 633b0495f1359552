net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    pred = net(T.ones(4, 2))
    loss = pred.pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
