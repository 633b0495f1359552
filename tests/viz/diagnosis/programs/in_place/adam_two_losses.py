# says_any = ["changed"]
# cure_any = ["before that step"]

net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Tanh(), T.nn.Linear(2, 2))
opt = T.optim.Adam(net.parameters(), lr=0.01)
for i in range(2):
    out = net(T.ones(3, 2))
    l1, l2 = out[:, 0].pow(2).mean(), out[:, 1].pow(2).mean()
    opt.zero_grad()
    l1.backward(retain_graph=True)
    opt.step()  # guilty
    opt.zero_grad()
    l2.backward()
    opt.step()
