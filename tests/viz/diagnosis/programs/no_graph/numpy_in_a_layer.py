# subject = "The history ended before the loss"
# says_any = ["numpy"]
# cure_any = ["t.cos", "own operations"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = "T.from_numpy(np.cos(h.detach().numpy()))"
# new = "T.cos(h)"
# quoted = true

import numpy as np

class Wave(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = T.nn.Linear(3, 3)

    def forward(self, x):
        h = self.inner(x)
        return T.from_numpy(np.cos(h.detach().numpy()))  # guilty

model = T.nn.Sequential(T.nn.Linear(3, 3), Wave())
loss = model(T.ones(2, 3)).mean()
loss.backward()
