# says_any = ["earlier pass"]
# cure_any = ["detach()"]
# [repair]
# old = "self.head(self.features)"
# new = "self.head(self.features.detach())"

class Trainer:
    def __init__(self, backbone, head, x):
        self.head = head
        self.features = T.tanh(backbone(x))  # guilty
        self.opt = T.optim.SGD(head.parameters(), lr=0.1)
    def step(self):
        self.opt.zero_grad()
        loss = T.sigmoid(self.head(self.features)).mean()
        loss.backward()
        self.opt.step()
trainer = Trainer(T.nn.Linear(3, 3), T.nn.Linear(3, 1), T.ones(2, 3))
for i in range(3):
    trainer.step()
