# says_all = ["t.opt"]

class Trainer:

    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = optim.SGD(self.net.parameters(), lr=0.1)
        self.sched = optim.lr_scheduler.StepLR(self.opt, 1)

    def step(self):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), classes)
        loss.backward()
t = Trainer()
train_step = t.step
