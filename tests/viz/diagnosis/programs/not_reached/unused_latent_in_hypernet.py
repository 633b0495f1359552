# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(h.z, loss)"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]

class Hyper(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.z = T.nn.Parameter(T.zeros(2))
        self.gen = T.nn.Linear(2, 3)
    def weights(self):
        return self.gen(self.z.detach())  # guilty
h = Hyper()
loss = (h.weights() * T.ones(3)).sum()
loss.backward()
