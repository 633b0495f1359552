# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["set_grad_enabled"]
# cure_any = ["no_grad", "set_grad_enabled(true)"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import contextlib

@contextlib.contextmanager
def evaluating(model):
    was = model.training
    model.eval()
    T.set_grad_enabled(False)  # guilty
    try:
        yield model
    finally:
        model.train(was)

net = T.nn.Linear(2, 1)
with evaluating(net):
    val = net(T.ones(1, 2)).item()
for i in range(2):
    loss = net(T.ones(3, 2)).mean()
    loss.backward()
