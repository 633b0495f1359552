# subject = "Own context managers that turn recording off"

import threading
with threading.Lock():
    y = x * 2
y = y.detach().sum()
y.backward()
