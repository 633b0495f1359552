# says_all = ["losses"]

class Trainer:

    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = optim.SGD(self.net.parameters(), lr=0.1)
        self.losses = []

    def step(self):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), classes)
        loss.backward()
        self.opt.step()
        self.losses.append(loss)
trainer = Trainer()
train_step = trainer.step
