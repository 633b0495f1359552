# ask: explain loss
# ask: diagnose for i in range(30)
# cause: the encoder's output goes through numpy (detach().numpy() and from_numpy), so the encoder gets no gradient.
# line: code = torch.from_numpy(np.clip(h.detach().numpy(), -1, 1))
# good: the graph is cut at the numpy line; use torch.clamp.
# harmful: code.requires_grad_().
import numpy as np
import torch
from torch import nn
torch.manual_seed(12)
class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 3)
        self.decoder = nn.Linear(3, 6)
    def forward(self, x):
        h = self.encoder(x)
        code = torch.from_numpy(np.clip(h.detach().numpy(), -1, 1))
        return self.decoder(code)
ae = AutoEncoder()
opt = torch.optim.Adam(ae.parameters(), lr=1e-2)
x = torch.randn(64, 6)
for i in range(30):
    loss = nn.functional.mse_loss(ae(x), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), ae.encoder.weight.grad)
