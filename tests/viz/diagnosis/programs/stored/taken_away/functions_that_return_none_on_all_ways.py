# subject = "Missing gradients"
# ask = "viz.explain(x)"

class Nothing(T.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        return v * 2
    @staticmethod
    def backward(ctx, g):
        return None

y = (Nothing.apply(x) + Nothing.apply(x) * w).sum()
y.backward()
