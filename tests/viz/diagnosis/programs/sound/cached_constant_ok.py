import functools
@functools.lru_cache(None)
def table(n):
    return T.arange(float(n))
w = T.ones(3, requires_grad=True)
for i in range(2):
    loss = (w * table(3)).sum()
    w.grad = None
    loss.backward()
