# says_any = ["turn"]
# cure_any = ["agent.mem.detach()"]
# never = ["retain_graph=True"]

class Agent:
    def __init__(self):
        self.net = T.nn.Linear(2, 2)
        self.mem = T.zeros(1, 2)
        self.opt = T.optim.SGD(self.net.parameters(), lr=0.1)
    def observe(self, x):
        self.mem = T.tanh(self.net(x) + self.mem)  # guilty
        return self.mem
    def update(self, x):
        loss = self.observe(x).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
agent = Agent()
for i in range(3):
    agent.update(T.ones(1, 2))
