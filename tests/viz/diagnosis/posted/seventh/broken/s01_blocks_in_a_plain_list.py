# ask: explain loss
# ask: diagnose for epoch in range(200)
# cause: the hidden blocks sit in a plain Python list, so they are no parameters of the model and the optimizer never trains them (only `inp` and `head` learn).
# line: self.blocks = [nn.Linear(32, 32) for _ in range(3)]
# cure: `nn.ModuleList([...])` (or nn.Sequential), optimizer made after it.
# harmful: raising lr / "train longer" (lowers the loss, but hides the fault: the blocks are still never trained, nor saved in the state_dict); adding `p.requires_grad_()`; saying all is well since the loss falls a little.
import torch
import torch.nn as nn

torch.manual_seed(0)


class DeepNet(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.inp = nn.Linear(n_in, 32)
        self.blocks = [nn.Linear(32, 32) for _ in range(3)]
        self.head = nn.Linear(32, n_out)

    def forward(self, x):
        x = torch.tanh(self.inp(x))
        for b in self.blocks:
            x = torch.tanh(b(x))
        return self.head(x)


X = torch.randn(256, 6)
y = torch.sin(3 * X[:, :1]) * X[:, 1:2] + X[:, 2:3] * X[:, 3:4]
model = DeepNet(6, 1)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.MSELoss()

for epoch in range(200):
    opt.zero_grad()
    loss = criterion(model(X), y)
    loss.backward()
    opt.step()
print("final", loss.item())
