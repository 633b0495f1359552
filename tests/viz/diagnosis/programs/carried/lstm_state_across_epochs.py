# subject = "Modules, helpers, decorators, hooks, caches and states"
# library = "torch"
# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]

class Tagger(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = T.nn.LSTM(3, 4)
        self.out = T.nn.Linear(4, 2)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (T.zeros(1, 1, 4), T.zeros(1, 1, 4))

    def forward(self, x):
        y, self.hidden = self.lstm(x, self.hidden)  # guilty
        return self.out(y)

model = Tagger()
opt = T.optim.SGD(model.parameters(), lr=0.1)
for sentence in [T.randn(2, 1, 3), T.randn(3, 1, 3)]:
    opt.zero_grad()
    loss = model(sentence).pow(2).mean()
    loss.backward()
    opt.step()
