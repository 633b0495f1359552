# says_any = ["shape"]
# cure_any = ["shape of its input"]

class Mean(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.n = x.numel()
        return x.mean()
    @staticmethod
    def backward(ctx, g):
        return T.ones(2) * g  # guilty
w = T.ones(3, requires_grad=True)
Mean.apply(w).backward()
