# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["apply"]
# cure_any = ["square.apply(x)"]

class Square(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g
x = T.ones(2, requires_grad=True)
y = Square()(x)  # guilty
