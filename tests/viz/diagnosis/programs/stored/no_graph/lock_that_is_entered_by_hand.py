# subject = "Own context managers that turn recording off"

import threading
lock = threading.Lock()
lock.__enter__()
y = x * 2
y = y.detach().sum()
lock.__exit__(None, None, None)
y.backward()
