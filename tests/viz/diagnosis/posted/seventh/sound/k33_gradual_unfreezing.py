# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: gradual unfreezing: backbone's requires_grad set True and add_param_group at epoch 20.
# good: nothing found.
# harmful: "backbone without gradient".
import torch
import torch.nn as nn

torch.manual_seed(32)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 48), nn.ReLU())
        self.head = nn.Linear(48, 1)

    def forward(self, x):
        return self.head(self.backbone(x))


model = Net()
model.backbone.requires_grad_(False)
opt = torch.optim.Adam(model.head.parameters(), lr=1e-2)
x = torch.randn(200, 8)
y = (x[:, :1] - x[:, 1:2]).abs()

for epoch in range(60):
    if epoch == 20:                 # now fine-tune the backbone as well
        model.backbone.requires_grad_(True)
        opt.add_param_group({"params": model.backbone.parameters(), "lr": 2e-3})
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
