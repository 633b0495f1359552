# question: The model clears its gradients, not the optimizer; in a notebook.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
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
    model.zero_grad()
    loss = nn.functional.mse_loss(model(X), Y)
    loss.backward()
    optimizer.step()
    return loss

# %%
for _ in range(30):
    loss = step()
