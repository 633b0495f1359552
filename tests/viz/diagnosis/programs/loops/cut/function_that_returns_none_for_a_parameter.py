# says_all = ["ScaleBackward", "returned None"]

class Scale(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return x * w
    @staticmethod
    def backward(ctx, g):
        return g, None
net = nn.Linear(4, 1)
scale = nn.Parameter(T.ones(1))
opt = optim.SGD([*net.parameters(), scale], lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        loss = (Scale.apply(net(x), scale) - y).pow(2).mean()
        loss.backward()
        opt.step()
