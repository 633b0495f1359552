# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["own operations", "t.exp"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np

class Curriculum:
    def __init__(self, n):
        self.scores = T.zeros(n, requires_grad=True)
    def weights(self):
        e = np.exp(self.scores.detach().numpy())  # guilty
        return T.from_numpy(e / e.sum())
cur = Curriculum(3)
losses = T.tensor([1.0, 2.0, 3.0])
loss = (cur.weights() * losses).sum()
loss.backward()
