# subject = "Own context managers that turn recording off"

T.no_grad().__enter__()
y = (x * 2).sum()
y.backward()
