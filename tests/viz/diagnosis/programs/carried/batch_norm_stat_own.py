# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]

class MyNorm(T.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gain = T.nn.Parameter(T.ones(n))
        self.register_buffer("running", T.zeros(n))
    def forward(self, x):
        self.running = 0.9 * self.running + 0.1 * x.mean(0)  # guilty
        return (x - self.running) * self.gain

net = T.nn.Sequential(T.nn.Linear(2, 3), MyNorm(3), T.nn.Linear(3, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
for batch in [T.randn(4, 2) for _ in range(3)]:
    opt.zero_grad()
    loss = net(batch).pow(2).mean()
    loss.backward()
    opt.step()
