# says_any = ["its own value of the turn before"]
# cure_any = ["the same holds for model.h: cut each of them."]

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = T.nn.LSTMCell(2, 3), T.nn.Linear(3, 1)
        self.h = self.c = T.zeros(4, 3)

    def forward(self, x):
        state = self.cell(x, (self.h, self.c))
        self.h, self.c = state  # guilty
        return self.head(state[0])

model = Model()
for i in range(2):
    loss = model(T.ones(4, 2)).pow(2).mean()
    loss.backward()
