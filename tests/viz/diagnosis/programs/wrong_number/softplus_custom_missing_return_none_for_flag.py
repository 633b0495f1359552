# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["as many gradients"]
# cure_any = ["none"]

class LeakyClamp(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward(x)
        ctx.lo, ctx.hi = lo, hi
        return x.clamp(lo, hi)
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * ((x > ctx.lo) & (x < ctx.hi)).float()  # guilty
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(2, 2)
    def forward(self, x):
        return LeakyClamp.apply(self.l(x), -1.0, 1.0)
loss = Net()(T.ones(1, 2)).sum()
loss.backward()
