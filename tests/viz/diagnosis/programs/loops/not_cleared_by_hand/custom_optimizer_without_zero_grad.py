# says_all = []

class MySGD:

    def __init__(self, params, lr):
        self.params, self.lr = (list(params), lr)

    def step(self):
        with T.no_grad():
            for p in self.params:
                p -= self.lr * p.grad
net = nn.Linear(4, 3)
opt = MySGD(net.parameters(), 0.1)

def train_step():
    F.cross_entropy(net(x), classes).backward()
    opt.step()
