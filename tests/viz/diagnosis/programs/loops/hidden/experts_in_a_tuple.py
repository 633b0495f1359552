# says_all = ["`self.experts[0]`"]

class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 2)
        self.experts = tuple(nn.Linear(4, 1) for _ in range(2))

    def forward(self, x):
        weights = F.softmax(self.gate(x), dim=1)
        outs = T.cat([expert(x) for expert in self.experts], dim=1)
        return (weights * outs).sum(1, keepdim=True)

model = Mixture()
optimizer = optim.Adam(model.parameters(), lr=1e-2)

def train_step():
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    return float(loss)
