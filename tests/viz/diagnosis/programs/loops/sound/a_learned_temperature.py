class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)
        self.temperature = nn.Parameter(T.tensor(1.0))

    def forward(self, x):
        return self.linear(x) / self.temperature

head = Head()
optimizer = optim.SGD([{"params": head.linear.parameters()},
                       {"params": [head.temperature], "lr": 0.01}], lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(head(x), classes).backward()
    optimizer.step()
