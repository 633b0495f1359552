# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Total:
    def __init__(self):
        self.value = 0.0
    def add(self, t):
        self.value += t.item()  # guilty
net = T.nn.Linear(2, 1)
total = Total()
for i in range(3):
    total.add(net(T.ones(2) * i).sum())
loss = T.tensor(total.value)
loss.backward()
