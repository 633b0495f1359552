# subject = "States in globals, classes, closures, caches and queues"
# says_any = [".data"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = ".data"
# new = ""

class Model:
    def __init__(self):
        self.raw = T.ones(2, requires_grad=True)
    @property
    def scale(self):
        return self.raw.exp().data  # guilty
m = Model()
loss = (m.scale * T.ones(2)).sum()
loss.backward()
