D = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
with T.no_grad():
    mix = 0.5 * T.randn(3, 2) + 0.5 * T.randn(3, 2)
mix.requires_grad_()
g = T.autograd.grad(D(mix).sum(), mix, create_graph=True)[0]
loss = ((g.norm(2, 1) - 1) ** 2).mean()
loss.backward()
