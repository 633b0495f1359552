# says_any = ["turn", "adds up"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]

w = T.tensor(0.5, requires_grad=True)
y = T.tensor(1.0)
n = 0
while n < 3:
    y = T.sin(w * y)  # guilty
    y.backward()
    n += 1
