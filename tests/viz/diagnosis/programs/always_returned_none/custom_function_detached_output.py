# ask = "viz.explain(w)"
# says_any = ["none"]

class Step(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x > 0).float()
    @staticmethod
    def backward(ctx, g):
        return None  # guilty
w = T.ones(3, requires_grad=True)
loss = Step.apply(w).sum()
loss.backward()
