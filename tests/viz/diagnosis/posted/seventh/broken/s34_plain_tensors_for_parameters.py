# ask: explain err
# ask: diagnose for step in range(400)
# cause: `self.gain`/`self.shift` are plain tensors with requires_grad, not nn.Parameter: they aren't in `model.parameters()` and never change (their gradients also pile up).
# line: self.gain = torch.ones(1, requires_grad=True) (and self.shift)
# cure: `nn.Parameter(torch.ones(1))` (optimizer after it).
# harmful: register_buffer; detach; calling model.gain.grad.zero_() only.
import torch
import torch.nn as nn

torch.manual_seed(33)


class ScaledTanh(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.ones(1, requires_grad=True)
        self.shift = torch.zeros(1, requires_grad=True)
        self.lin = nn.Linear(2, 1)

    def forward(self, x):
        return self.gain * torch.tanh(self.lin(x)) + self.shift


x = torch.randn(150, 2)
y = 6.0 * torch.tanh(x[:, :1] - 0.5 * x[:, 1:]) + 4.0
model = ScaledTanh()
opt = torch.optim.Adam(model.parameters(), lr=0.05)
loss_fn = nn.MSELoss()

for step in range(400):
    err = loss_fn(model(x), y)
    opt.zero_grad()
    err.backward()
    opt.step()
print("loss", err.item(), "gain", model.gain.item(), "shift", model.shift.item())
