# subject = "Numbers that an object keeps"

class Box:
    pass
box = Box()
box.h = x.detach()
y = (box.h * 2).sum()
y.backward()
