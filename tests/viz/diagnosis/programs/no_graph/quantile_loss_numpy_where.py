# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["own operations", "t.where"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
class Quantile(T.nn.Module):
    def __init__(self, q):
        super().__init__()
        self.q = q
    def forward(self, pred, y):
        err = (y - pred).detach().numpy()  # guilty
        return T.tensor(np.where(err > 0, self.q * err, (self.q - 1) * err).mean())
net = T.nn.Linear(2, 1)
loss = Quantile(0.9)(net(T.ones(3, 2)), T.zeros(3, 1))
loss.backward()
