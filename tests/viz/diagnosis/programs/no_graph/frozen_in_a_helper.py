# subject = "The history ended before the loss"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true", "requires_grad_()"]
# never = ["loss.requires_grad_()"]

def freeze(module):
    for p in module.parameters():
        p.requires_grad_(False)  # guilty

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = T.nn.Linear(3, 3)
        self.head = T.nn.Linear(3, 1)

    def forward(self, x):
        return self.head(T.relu(self.backbone(x)))

model = Model()
freeze(model)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
for i in range(2):
    optimizer.zero_grad()
    loss = model(T.ones(2, 3)).mean()
    loss.backward()
    optimizer.step()
