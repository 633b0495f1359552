# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["does not require grad"]
# cure_any = ["requires_grad"]

D = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
def gp(real, fake):
    with T.no_grad():
        mix = 0.5 * real + 0.5 * fake  # guilty
    out = D(mix)
    g = T.autograd.grad(out.sum(), mix, create_graph=True)[0]
    return ((g.norm(2, 1) - 1) ** 2).mean()
loss = gp(T.randn(3, 2), T.randn(3, 2))
loss.backward()
