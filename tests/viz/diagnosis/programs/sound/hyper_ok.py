class Hyper(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.z = T.nn.Parameter(T.zeros(2))
        self.gen = T.nn.Linear(2, 3)
h = Hyper()
loss = (h.gen(h.z) * T.ones(3)).sum()
loss.backward()
