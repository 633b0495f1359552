# says_any = ["parameter"]
# cure_any = ["in place"]

class S(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = T.nn.Parameter(T.ones(2))
    def forward(self, x):
        return (self.a * x).sum()
s = S()
s.a = T.ones(2) * 2  # guilty
