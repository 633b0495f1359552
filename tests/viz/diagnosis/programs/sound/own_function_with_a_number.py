class Scale(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None

w = T.ones(3, requires_grad=True)
loss = Scale.apply(w, 3.0).sum()
loss.backward()
