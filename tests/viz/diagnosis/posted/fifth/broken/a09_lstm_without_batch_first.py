# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: nn.LSTM is made without batch_first=True but gets (batch, time, feature): it runs along the batch; samples leak into each other and out[:, -1] is not the last of a whole sequence.
# line: self.lstm = nn.LSTM(3, 16)
# good: the input is (batch, time, ...) yet the LSTM expects (time, batch, ...): batch_first=True.
# harmful: detach the state; otherwise asserts a wrong cause.
import torch
from torch import nn
torch.manual_seed(8)
class SeqModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 16)
        self.head = nn.Linear(16, 1)
    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1])
x = torch.randn(40, 7, 3)        # batch, time, features
y = x[:, 0, :1]
model = SeqModel()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(40):
    perm = torch.randperm(40)
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x[perm]), y[perm])
    loss.backward()
    opt.step()
print("loss", loss.item(), "var", y.var().item())
