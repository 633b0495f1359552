# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["u.detach()"]
# never = ["retain_graph=True"]

W = T.nn.Parameter(T.randn(3, 3))
u = T.ones(3)
opt = T.optim.SGD([W], lr=0.1)
for i in range(2):
    v = W.T @ u
    u = W @ v / (W @ v).norm()  # guilty
    sigma = u @ W @ v
    opt.zero_grad()
    sigma.backward()
    opt.step()
