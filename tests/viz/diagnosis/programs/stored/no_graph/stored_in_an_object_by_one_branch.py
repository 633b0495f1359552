# subject = "Numbers that an object keeps"

class Box:
    pass
box = Box()
setattr(box, "h", x * 2)
if x is None:
    box.h = T.zeros(2)
else:
    y = box.h.detach().sum()
y.backward()
