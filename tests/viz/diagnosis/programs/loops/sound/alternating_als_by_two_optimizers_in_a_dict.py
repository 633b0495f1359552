U, V = (nn.Parameter(T.randn(5, 2)), nn.Parameter(T.randn(6, 2)))
R = T.randn(5, 6)
opts = {'u': optim.SGD([U], lr=0.1), 'v': optim.SGD([V], lr=0.1)}
with viz.diagnose() as report:
    for i in range(6):
        o = opts['u' if i % 2 == 0 else 'v']
        U.grad = V.grad = None
        loss = (U @ V.t() - R).pow(2).mean()
        loss.backward()
        o.step()
