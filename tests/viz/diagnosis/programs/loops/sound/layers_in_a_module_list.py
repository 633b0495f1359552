class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])
        self.first, self.last = nn.Linear(4, 8), nn.Linear(8, 1)
        self.sizes = [8, 8]

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = x + T.tanh(layer(x))
        return self.last(x)

model = Deep()
optimizer = optim.AdamW(model.parameters())

def train_step():
    optimizer.zero_grad(set_to_none=True)
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
