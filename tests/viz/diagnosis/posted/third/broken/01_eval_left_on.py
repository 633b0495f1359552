# question: Since I evaluate after each epoch my dropout network trains as if dropout were off and overfits.
# ask: explain loss
# ask: diagnose step
# cause: model.eval() is called for the validation and model.train() never again, so training goes on in evaluation mode
# line: model.eval()
# cure: call model.train() at the start of each epoch
# harmful: remove dropout
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
x, xv = torch.randn(32, 5), torch.randn(8, 5)
y, yv = x.sum(1, keepdim=True), xv.sum(1, keepdim=True)


def step():
    loss = F.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        F.mse_loss(model(xv), yv)
    return loss

for _ in range(20):
    loss = step()
