# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["self.avg"]
# never = ["retain_graph=True"]

class Balancer:
    def __init__(self):
        self.avg = None
    def __call__(self, loss):
        if self.avg is None:
            self.avg = loss
        self.avg = 0.9 * self.avg + 0.1 * loss  # guilty
        return loss / self.avg

net = T.nn.Linear(3, 1)
bal = Balancer()
opt = T.optim.Adam(net.parameters())
for i in range(3):
    raw = net(T.randn(4, 3)).pow(2).mean()
    scaled = bal(raw)
    opt.zero_grad()
    scaled.backward()
    opt.step()
