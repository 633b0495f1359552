# subject = "Measured answers"
# says_any = ["reaches `weight`"]
# cure_any = ["dtype='float32')).requires_grad_()`"]
# never = ["goal.requires_grad_()", "x.requires_grad_()"]

import numpy as np
weight = T.from_numpy(np.ones((1, 3), dtype="float32"))  # guilty
def model(x):
    return x @ weight.t()
x = T.randn(4, 3)
goal = T.randn(4, 1)
(model(x) - goal).pow(2).sum().backward()
