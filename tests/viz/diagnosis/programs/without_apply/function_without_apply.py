# subject = "Calls that autograd refuses"
# says_any = ["apply"]
# cure_any = ["double.apply(x)", "double.apply(...)"]
# [repair]
# old = "y = Double.forward(x)"
# new = "y = Double.apply(x)"
# quoted = true

class Double(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2

x = T.ones(3, requires_grad=True)
y = Double.forward(x)  # guilty
