# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()", "sum", "once", ".item()"]
# never = ["retain_graph=True"]

net = T.nn.Linear(2, 1)
total = 0.0
def accumulate(x):
    global total
    total = total + net(x).pow(2).mean()  # guilty
    return total
for i in range(3):
    loss = accumulate(T.ones(1, 2))
    loss.backward()
