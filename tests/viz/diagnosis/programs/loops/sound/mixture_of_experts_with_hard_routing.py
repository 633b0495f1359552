# subject = "Measured answers"

class MoE(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = T.nn.Linear(3, 3)
        self.experts = T.nn.ModuleList([T.nn.Linear(3, 1) for _ in range(3)])
    def forward(self, x):
        p = T.softmax(self.gate(x), 1)
        best = int(p.sum(0).argmax())
        return self.experts[best](x) * p[:, best:best + 1]
net = MoE()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(4):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()
