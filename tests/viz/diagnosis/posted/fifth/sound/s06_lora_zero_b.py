# ask: explain loss
# ask: diagnose for i in range(100)
# cause: LoRA: B starts at zero, thus A's gradient is zero in the first step only; base frozen.
# good: nothing found (or says zero only at first).
# harmful: initialise both with zero/unfreeze the base.
import torch
from torch import nn
torch.manual_seed(5)
class LoRALinear(nn.Module):
    def __init__(self, base, r=2):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        self.A = nn.Parameter(torch.randn(r, base.in_features) * 0.1)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
    def forward(self, x):
        return self.base(x) + x @ self.A.t() @ self.B.t()
layer = LoRALinear(nn.Linear(6, 4))
opt = torch.optim.Adam([p for p in layer.parameters() if p.requires_grad], lr=1e-2)
x = torch.randn(80, 6)
y = x[:, :4] * 2
for i in range(100):
    loss = nn.functional.mse_loss(layer(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
