# subject = "Own context managers that turn recording off"

mode = T.no_grad()
mode.__enter__()
mode.__exit__(None, None, None)
y = x * 2
y = y.detach().sum()
y.backward()
