# subject = "Own context managers that turn recording off"

class Loud:
    def __enter__(self):
        pass
    def __exit__(self, *error):
        pass
with Loud():
    y = (x * 2).detach().sum()
y.backward()
