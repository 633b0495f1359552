# says_any = ["tolist"]
# cure_any = ["leave .tolist() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Tied(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = T.nn.Linear(3, 3)
    def forward(self, x):
        w = T.tensor(self.a.weight.tolist())  # guilty
        return (x @ w).sum()
m = Tied()
loss = m(T.ones(2, 3))
loss.backward()
