class Agent:
    def __init__(self):
        self.v = T.nn.Linear(2, 1)
        self.opt = T.optim.SGD(self.v.parameters(), lr=0.1)
        self.last = None
    def learn(self, s, r):
        value = self.v(s).sum()
        if self.last is not None:
            loss = (r + 0.9 * self.last - value).pow(2)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        self.last = value.detach()
agent = Agent()
for i in range(4):
    agent.learn(T.ones(2) * i, 1.0)
