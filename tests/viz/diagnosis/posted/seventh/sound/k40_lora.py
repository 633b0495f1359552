# ask: explain loss
# ask: diagnose for step in range(150)
# cause: LoRA: B initialised to zero (so A's gradient is 0 in the first step), base frozen.
# good: nothing found.
# harmful: "dead A", "zero init".
import torch
import torch.nn as nn


class LoRALinear(nn.Module):
    def __init__(self, base, r=4, alpha=8.0):
        super().__init__()
        self.base = base
        self.base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) / base.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scale = alpha / r

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.A.t() @ self.B.t())


torch.manual_seed(39)
pretrained = nn.Linear(12, 6)
delta = torch.randn(6, 2) @ torch.randn(2, 12) * 0.5
x = torch.randn(200, 12)
y = (pretrained(x) + x @ delta.t()).detach()
layer = LoRALinear(pretrained)
opt = torch.optim.AdamW([p for p in layer.parameters() if p.requires_grad], lr=1e-2)

for step in range(150):
    loss = nn.functional.mse_loss(layer(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
