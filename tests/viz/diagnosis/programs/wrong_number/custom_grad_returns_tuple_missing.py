# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["as many gradients"]
# cure_any = ["none", "one for each"]

class Add(T.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b
    @staticmethod
    def backward(ctx, g):
        return g  # guilty
a, b = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)
Add.apply(a, b).sum().backward()
