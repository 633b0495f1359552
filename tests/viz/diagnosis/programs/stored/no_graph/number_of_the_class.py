# subject = "Numbers that an object keeps"

class Net(T.nn.Module):
    factor = 2.0
    def forward(self, v):
        return (v * self.factor).detach()
y = Net()(x).sum()
y.backward()
