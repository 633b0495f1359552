class Auto(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = T.nn.Linear(4, 2, bias=False)
    def forward(self, x):
        return T.sigmoid(self.enc(x)) @ self.enc.weight
net = Auto()
loss = (net(T.ones(2, 4)) - 1).pow(2).mean()
loss.backward()
