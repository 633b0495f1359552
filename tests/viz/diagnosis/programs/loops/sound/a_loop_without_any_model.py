point = T.tensor([2.0, -1.0], requires_grad=True)
optimizer = optim.SGD([point], lr=0.1, momentum=0.5)
path = []

with viz.diagnose() as report:
    for i in range(5):
        optimizer.zero_grad()
        value = (point ** 2).sum()
        value.backward()
        optimizer.step()
        path.append(point.detach().clone())
