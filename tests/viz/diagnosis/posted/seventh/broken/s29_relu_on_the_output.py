# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: a ReLU on the regression output can only give values >= 0, but most targets are negative (in standardised y): those samples get output 0 and no gradient.
# line: return F.relu(self.out(x))
# cure: return `self.out(x)` without activation.
# harmful: raising lr; shifting nothing, taking abs of y; softplus/sigmoid instead (still positive).
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(28)


class PriceModel(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.hidden = nn.Linear(n_features, 32)
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        x = F.relu(self.hidden(x))
        return F.relu(self.out(x))


X = torch.randn(200, 5)
price = (X @ torch.tensor([3., -2., 1., 0.5, 0.])).unsqueeze(1).exp().clamp(max=60)
y = (price - price.mean()) / price.std()        # standardised target
model = PriceModel(5)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(300):
    loss = F.mse_loss(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("MSE", loss.item())
