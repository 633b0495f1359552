# says_any = ["integers"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = T.optim.SGD(model.parameters(), lr=0.1)

    def loss(self, x, y):
        pred = self.model(x)
        pred = pred.round().int()  # guilty
        return (pred - y).float().abs().mean()

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(x, y)
        loss.backward()
        self.opt.step()
        return loss.item()

trainer = Trainer(T.nn.Linear(3, 1))
for i in range(2):
    trainer.step(T.ones(4, 3), T.ones(4, 1))
