# subject = "No error, but no training"
# ask = "viz.explain(model.side.weight, loss)"
# says_any = ["does not lead to", "not used", "nothing that you"]

class TwoHeads(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = T.nn.Linear(3, 3)
        self.main = T.nn.Linear(3, 1)
        self.side = T.nn.Linear(3, 1)  # guilty

    def forward(self, x):
        return self.main(T.tanh(self.body(x)))

model = TwoHeads()
loss = model(T.ones(2, 3)).mean()
loss.backward()
