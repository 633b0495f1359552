# subject = "Measured answers"
# says_any = ["used as it should be"]
# never = ["will not change", "holds other"]
# ask = "viz.explain(loss)"

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [T.nn.Linear(3, 3), T.nn.Linear(3, 1)]
    def forward(self, x):
        for l in self.layers: x = l(x)
        return x
net = Net()
opt = T.optim.SGD([p for l in net.layers for p in l.parameters()], lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(5):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # guilty
    opt.step()
