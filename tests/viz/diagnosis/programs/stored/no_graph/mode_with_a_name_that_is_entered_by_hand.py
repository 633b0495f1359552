# subject = "Own context managers that turn recording off"

mode = T.no_grad()
mode.__enter__()
y = (x * 2).sum()
mode.__exit__(None, None, None)
y.backward()
