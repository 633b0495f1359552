# says_any = ["no_grad"]
# cure_any = ["decorator"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Trainer:
    def __init__(self):
        self.model = T.nn.Linear(2, 1)
    def compute(self, x):
        return self.model(x).mean()
    @T.no_grad()  # guilty
    def evaluate(self, x):
        loss = self.compute(x)
        loss.backward()
        return loss
Trainer().evaluate(T.ones(2, 2))
