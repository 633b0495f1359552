# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["shape"]

class MatMul(T.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return a.T @ g, g @ b.T  # guilty
a = T.ones(2, 3, requires_grad=True)
b = T.ones(3, 4, requires_grad=True)
out = MatMul.apply(a, b)
out.sum().backward()
