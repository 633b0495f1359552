# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices", "comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = T.optim.SGD(net.parameters(), lr=0.1)
    def metric(self, out, y):
        return (out.argmax(1) == y).float().mean()  # guilty
    def step(self, x, y):
        out = self.net(x)
        loss = 1 - self.metric(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
Trainer(T.nn.Linear(3, 2)).step(T.randn(4, 3), T.tensor([0, 1, 0, 1]))
