net = T.nn.Sequential(T.nn.Linear(1, 6), T.nn.Tanh(), T.nn.Linear(6, 1))
opt = T.optim.Adam(net.parameters())
for i in range(2):
    t = T.rand(5, 1).requires_grad_()
    u = net(t)
    du = T.autograd.grad(u.sum(), t, create_graph=True)[0]
    ddu = T.autograd.grad(du.sum(), t, create_graph=True)[0]
    loss = (ddu + u).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
