# says_any = ["numpy"]
# cure_any = ["own operations"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
class Poly(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.c = T.nn.Parameter(T.ones(3))
    def forward(self, x):
        coefs = self.c.data.numpy()  # guilty
        return T.tensor(np.polyval(coefs, x.numpy())).float()
p = Poly()
loss = (p(T.ones(4)) - 1).pow(2).sum()
loss.backward()
