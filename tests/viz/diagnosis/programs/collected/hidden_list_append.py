# says_any = ["turn", "earlier"]
# cure_any = ["once", "after the loop", "detach"]

cell = T.nn.Linear(2, 2)
h = T.zeros(1, 2)
outs = []
for t in range(3):
    h = T.tanh(cell(h))
    outs.append(h)  # guilty
    T.stack(outs).sum().backward()
