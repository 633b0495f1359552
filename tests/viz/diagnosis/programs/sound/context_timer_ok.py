import contextlib
@contextlib.contextmanager
def timer(log):
    with T.no_grad():
        log.append(1)
    yield
log = []
net = T.nn.Linear(2, 1)
with timer(log):
    loss = net(T.ones(1, 2)).sum()
loss.backward()
