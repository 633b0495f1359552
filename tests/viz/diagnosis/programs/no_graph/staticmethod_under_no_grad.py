# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["no_grad"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Ops:
    @staticmethod
    def norm(v):
        with T.no_grad():
            return v / v.pow(2).sum().sqrt()  # guilty
w = T.ones(3, requires_grad=True)
loss = Ops.norm(w).sum()
loss.backward()
