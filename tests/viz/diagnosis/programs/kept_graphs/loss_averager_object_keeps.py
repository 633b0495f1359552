# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(total)"
# says_any = ["keeps"]
# cure_any = [".item()"]

class Averager:
    def __init__(self):
        self.sum, self.n = 0.0, 0
    def add(self, loss):
        self.sum = self.sum + loss  # guilty
        self.n += 1
    def mean(self):
        return self.sum / self.n

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.01)
meter = Averager()
for i in range(4):
    loss = model(T.ones(3, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    meter.add(loss)
total = meter.mean()
