class Trainer:
    def __init__(self, net):
        self.net, self.history = net, []
        self.opt = T.optim.SGD(net.parameters(), lr=0.1)
    def step(self, x):
        loss = self.net(x).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.history.append(float(loss))
        return loss
trainer = Trainer(T.nn.Linear(2, 1))
for i in range(3):
    loss = trainer.step(T.randn(4, 2))
