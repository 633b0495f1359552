# says_any = ["turn", "earlier"]
# cure_any = ["detach()", "once after"]
# never = ["retain_graph=True"]

w = T.ones(2, requires_grad=True)
h = w.sin()
saved = []
for i in range(3):
    h = h.sin() * w  # guilty
    saved.append(h.sum())
    saved[-1].backward()
