# question: In my notebook the loss first falls, then swings wider and wider, with a small rate.
# ask: explain loss
# ask: diagnose step
# cause: optimizer.zero_grad has no parentheses: it is not called and the gradients add up
# line: optimizer.zero_grad
# cure: optimizer.zero_grad()
# harmful: smaller learning rate as the cure; retain_graph
# %%
import torch
from torch import nn

torch.manual_seed(3)
# %%
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
X = torch.randn(32, 3)
Y = X.prod(1, keepdim=True)
# %%
def step():
    optimizer.zero_grad
    loss = nn.functional.mse_loss(model(X), Y)
    loss.backward()
    optimizer.step()
    return loss

# %%
for _ in range(60):
    loss = step()
