# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["holds", "earlier turn", "kept"]
# cure_any = ["detach", "each turn"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(3, 2)
        self.seen = []
    def forward(self, x):
        z = T.tanh(self.l(x))
        self.seen.append(z)  # guilty
        return T.stack(self.seen).mean(0)
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
for batch in range(3):
    loss = net(T.randn(1, 3)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
