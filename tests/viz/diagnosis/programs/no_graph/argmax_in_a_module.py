# subject = "The history ended before the loss"
# says_any = ["argmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Classifier(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = T.nn.Linear(4, 8)
        self.last = T.nn.Linear(8, 3)

    def forward(self, x):
        hidden = T.relu(self.first(x))
        return self.last(hidden).argmax(dim=1).float()  # guilty

def compute_loss(model, x, y):
    out = model(x)
    return ((out - y) ** 2).mean()

model = Classifier()
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x = T.randn(8, 4)
y = T.ones(8)
for epoch in range(3):
    optimizer.zero_grad()
    loss = compute_loss(model, x, y)
    loss.backward()
    optimizer.step()
