# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["tensors only"]
# cure_any = ["ctx."]

class Scale(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x, k)  # guilty
        return x * k
    @staticmethod
    def backward(ctx, g):
        x, k = ctx.saved_tensors
        return g * k, None
x = T.ones(2, requires_grad=True)
Scale.apply(x, 3.0).sum().backward()
