# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(w, loss)"
# says_any = ["none"]

class Round(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()
    @staticmethod
    def backward(ctx, g):
        return None  # guilty
w = T.tensor([0.4, 1.6], requires_grad=True)
loss = (Round.apply(w) * 2).sum()
loss.backward()
