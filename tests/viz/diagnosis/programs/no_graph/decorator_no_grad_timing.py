# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import functools, time

def timed(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        t0 = time.time()
        with T.no_grad():
            result = f(*args, **kwargs)  # guilty
        inner.took = time.time() - t0
        return result
    return inner

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(2, 2)
    @timed
    def forward(self, x):
        return self.l(x)

loss = Model()(T.ones(1, 2)).sum()
loss.backward()
