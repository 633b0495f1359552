# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["gradients"]
# cure_any = ["none"]
# [repair]
# old = "return g * ctx.k"
# new = "return g * ctx.k, None"

class Scale(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        return x * k
    @staticmethod
    def backward(ctx, g):
        return g * ctx.k  # guilty
x = T.ones(2, requires_grad=True)
loss = Scale.apply(x, 3.0).sum()
loss.backward()
