# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import functools
def timed(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return f(*a, **k)
    return inner
@timed
def loss_fn(w):
    return (w.detach() * 2).sum()  # guilty
w = T.ones(2, requires_grad=True)
loss = loss_fn(w)
loss.backward()
