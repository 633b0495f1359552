# says_any = ["detach()"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class M(T.nn.Module):
    def __init__(self, train=False):
        super().__init__()
        self.l = T.nn.Linear(2, 2)
        self.train_mode = train
    def forward(self, x):
        y = self.l(x)
        if not self.train_mode:
            y = y.detach()  # guilty
        return y
m = M()
m(T.ones(1, 2)).sum().backward()
