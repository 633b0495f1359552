# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = T.nn.Linear(4, 3)
    def predict(self, x):
        return T.argmax(T.softmax(self.net(x), dim=1), dim=1)  # guilty
    def loss(self, x, y):
        return T.nn.functional.l1_loss(self.predict(x).float(), y.float())
m = Model()
loss = m.loss(T.randn(5, 4), T.tensor([0, 1, 2, 1, 0]))
loss.backward()
