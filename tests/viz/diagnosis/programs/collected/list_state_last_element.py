# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = "cell(states[-1])"
# new = "cell(states[-1].detach())"

cell = T.nn.Linear(2, 2)
states = [T.zeros(1, 2)]
for t in range(3):
    states.append(T.tanh(cell(states[-1])))  # guilty
    loss = states[-1].pow(2).mean()
    loss.backward()
