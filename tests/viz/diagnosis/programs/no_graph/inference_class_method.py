# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["inference_mode"]
# cure_any = ["decorator"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Predictor:
    def __init__(self, net):
        self.net = net
    @classmethod
    def default(cls):
        return cls(T.nn.Linear(2, 1))
    @T.inference_mode()
    def predict(self, x):
        return self.net(x)  # guilty
p = Predictor.default()
loss = p.predict(T.ones(1, 2)).sum()
loss.backward()
