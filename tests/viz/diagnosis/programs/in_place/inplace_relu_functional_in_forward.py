# says_any = ["in place"]
# cure_any = ["clone"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = T.nn.Linear(3, 3)
    def forward(self, x):
        h = T.tanh(self.a(x))
        T.relu_(h)  # guilty
        return h.sum()
Net()(T.ones(2, 3)).backward()
