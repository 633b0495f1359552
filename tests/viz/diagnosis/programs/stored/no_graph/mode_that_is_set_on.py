# subject = "Own context managers that turn recording off"

T.set_grad_enabled(True)
y = x * 2
y = y.detach().sum()
y.backward()
