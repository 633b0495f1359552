# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = "past[-1]"
# new = "past[-1].detach()"
# quoted = true

from collections import deque
cell = T.nn.Linear(2, 2)
past = deque([T.zeros(1, 2)], maxlen=2)
for t in range(3):
    h = T.tanh(cell(past[-1]))  # guilty
    past.append(h)
    loss = h.pow(2).mean()
    loss.backward()
