class Cell(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.i, self.h = T.nn.Linear(2, 3), T.nn.Linear(3, 3)
    def forward(self, x, state):
        h, c = state
        c = T.tanh(self.i(x) + self.h(h)) + c
        return c, (T.tanh(c), c)
cell = Cell()
opt = T.optim.SGD(cell.parameters(), lr=0.1)
state = (T.zeros(1, 3), T.zeros(1, 3))
for i in range(3):
    state = tuple(s.detach() for s in state)
    out, state = cell(T.randn(1, 2), state)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
