# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["number", "math"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import math
policy = T.nn.Linear(3, 2)
def log_prob(state, a):
    p = T.softmax(policy(state), -1)
    return math.log(p[a])  # guilty
loss = -T.tensor(log_prob(T.randn(3), 0)) * 2.0
loss.backward()
