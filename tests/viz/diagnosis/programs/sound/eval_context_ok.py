import contextlib
@contextlib.contextmanager
def evaluating(m):
    m.eval()
    with T.no_grad():
        yield m
    m.train()
net = T.nn.Linear(2, 1)
with evaluating(net) as m:
    val = m(T.ones(1, 2)).mean()
loss = net(T.ones(1, 2)).mean()
loss.backward()
