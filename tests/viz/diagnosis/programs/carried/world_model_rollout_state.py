# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["s = s.detach()"]
# never = ["retain_graph=True"]

class World(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.f = T.nn.Linear(4, 3)
    def step(self, s, a):
        return T.tanh(self.f(T.cat([s, a], -1)))

world = World()
opt = T.optim.SGD(world.parameters(), lr=0.1)
s = T.zeros(1, 3)
for episode in range(2):
    for t in range(3):
        s = world.step(s, T.ones(1, 1))  # guilty
    loss = (s - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
