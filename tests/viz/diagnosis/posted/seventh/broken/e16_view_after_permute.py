# ask: explain error
# ask: diagnose for ep in range(3)
# cause: after `permute` the tensor is not contiguous, `view` cannot flatten it.
# line: x = x.permute(0, 2, 1).view(x.size(0), -1)
# cure: `.reshape(...)` or `.contiguous().view(...)`.
# harmful: dropping the permute (runs, other order); view(-1, ...) with another batch size.
import torch
import torch.nn as nn

torch.manual_seed(15)


class Conv1dNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 10, 2)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = x.permute(0, 2, 1).view(x.size(0), -1)
        return self.fc(x)


model = Conv1dNet()
opt = torch.optim.Adam(model.parameters())
sig, cls = torch.randn(20, 4, 10), torch.randint(0, 2, (20,))

for ep in range(3):
    loss = nn.CrossEntropyLoss()(model(sig), cls)
    opt.zero_grad()
    loss.backward()
    opt.step()
