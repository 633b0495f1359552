# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach", "t"]
# cure_any = ["allow_unused", "detach"]

net = T.nn.Sequential(T.nn.Linear(2, 6), T.nn.Tanh(), T.nn.Linear(6, 1))
x = T.rand(10, 1, requires_grad=True)
t = T.rand(10, 1, requires_grad=True)
xt = T.cat([x, t], 1)
u = net(xt)
u_x = T.autograd.grad(u.sum(), xt, create_graph=True)[0][:, :1]
u_xx = T.autograd.grad(u_x.sum(), x, create_graph=True)[0]
u_ttt = T.autograd.grad(u_x.detach().sum() + x.sum(), t)[0]  # guilty
