class SignSGD(optim.Optimizer):

    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @T.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g['params']:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-g['lr'])
net = nn.Linear(4, 3)
opt = SignSGD(net.parameters(), 0.001)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
