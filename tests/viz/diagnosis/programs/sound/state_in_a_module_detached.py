class Memory(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = T.nn.Linear(3, 2)
        self.again = T.nn.Linear(2, 2)
        self.h = T.zeros(1, 2)

    def forward(self, x):
        self.h = T.tanh(self.enter(x) + self.again(self.h.detach()))
        return self.h

memory = Memory()
for i in range(3):
    loss = memory(T.ones(1, 3)).pow(2).mean()
    loss.backward()
