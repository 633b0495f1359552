def make():
    w = T.ones(2, requires_grad=True)
    count = 0
    def step(x):
        nonlocal count
        count += 1
        return (w * x * count).sum()
    return w, step
w, step = make()
for i in range(2):
    loss = step(T.ones(2))
    loss.backward()
