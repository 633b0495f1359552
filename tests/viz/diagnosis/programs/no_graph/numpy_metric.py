# says_any = ["numpy"]
# cure_any = ["own operations"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
def r2(pred, y):
    pred = pred.detach().cpu().numpy()  # guilty
    y = y.numpy()
    return 1 - ((y - pred) ** 2).sum() / (y ** 2).sum()
m = T.nn.Linear(2, 1)
score = r2(m(T.ones(3, 2)), T.ones(3, 1))
loss = -T.tensor(score)
loss.backward()
