# subject = "The history ended before the loss"
# says_any = ["numpy"]
# cure_any = ["t.sin", "own operations", "y itself"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
# z = np.sin(y.detach().numpy())
# loss = T.tensor(z).sum()'''
# new = "loss = T.sin(y).sum()"

import numpy as np

w = T.ones(3, requires_grad=True)
x = T.ones(3)
y = w * x
z = np.sin(y.detach().numpy())  # guilty
loss = T.tensor(z).sum()
loss.backward()
