# subject = "Own context managers that turn recording off"

import tempfile
with tempfile.TemporaryFile():
    y = x * 2
y = y.detach().sum()
y.backward()
