# subject = "Calls that autograd refuses"
# says_any = ["leaves", "leaf", "history"]
# cure_any = ["best.detach().clone()", ".detach().clone()"]
# [repair]
# old = "copy.deepcopy(best)"
# new = "best.detach().clone()"

import copy

w = T.ones(2, requires_grad=True)
best = w * 2
kept = copy.deepcopy(best)  # guilty
