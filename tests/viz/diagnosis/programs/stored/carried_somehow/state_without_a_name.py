# subject = "Loops that carry a state"

class Box:
    pass
box = Box()
setattr(box, "held", T.zeros(2))
for turn in range(2):
    loss = (getattr(box, "held") * w + x).sum()
    vars(box).update(held=loss)
    loss.backward()
