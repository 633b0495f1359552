class P:
    def __init__(self):
        self.raw = T.zeros(2, requires_grad=True)
    @property
    def value(self):
        return T.exp(self.raw)
p = P()
opt = T.optim.SGD([p.raw], lr=0.1)
for i in range(2):
    loss = (p.value - 2).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
