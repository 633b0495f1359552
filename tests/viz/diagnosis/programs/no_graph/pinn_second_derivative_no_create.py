# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["du.requires_grad_()"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = T.nn.Linear(1, 8)
        self.b = T.nn.Linear(8, 1)
    def forward(self, t):
        return self.b(T.tanh(self.a(t)))

net = Net()
t = T.linspace(0, 1, 5).reshape(-1, 1).requires_grad_()

def d(y, x):
    return T.autograd.grad(y, x, grad_outputs=T.ones_like(y))[0]  # guilty

u = net(t)
du = d(u, t)
ddu = d(du, t)
residual = (ddu + u).pow(2).mean()
residual.backward()
