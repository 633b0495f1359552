import functools
def scaled(model, x, k):
    return model(x) * k
model = T.nn.Linear(2, 1)
f = functools.partial(scaled, model, k=2.0)
loss = f(T.ones(1, 2)).sum()
loss.backward()
