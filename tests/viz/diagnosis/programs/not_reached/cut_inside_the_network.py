# subject = "No error, but no training"
# ask = "viz.explain(model.encode.weight, loss)"
# says_any = ["detach()"]
# cure_any = ["without .detach()", "leave out .detach()", "leave .detach() out"]
# [repair]
# old = ".detach()"
# new = ""

class Auto(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = T.nn.Linear(3, 2)
        self.decode = T.nn.Linear(2, 3)

    def forward(self, x):
        code = T.sigmoid(self.encode(x)).detach()  # guilty
        return self.decode(code)

model = Auto()
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x = T.ones(4, 3)
for epoch in range(2):
    optimizer.zero_grad()
    loss = T.nn.functional.mse_loss(model(x), x)
    loss.backward()
    optimizer.step()
