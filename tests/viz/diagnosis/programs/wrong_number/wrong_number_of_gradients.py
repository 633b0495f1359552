# subject = "Calls that autograd refuses"
# says_any = ["as many", "one for each"]
# cure_any = ["return none", "none"]
# [repair]
# old = "return g * ctx.factor"
# new = "return g * ctx.factor, None"

class Scale(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor  # guilty

x = T.ones(3, requires_grad=True)
Scale.apply(x, 2.0).sum().backward()
