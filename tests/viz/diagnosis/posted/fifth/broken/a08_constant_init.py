# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: all weights start equal (constant 0.5), so hidden units stay equal (symmetry) and XOR cannot be learned.
# line: nn.init.constant_(m.weight, 0.5)
# good: units are identical / symmetric; initialise at random.
# harmful: advises zero init, or asserts another cause.
import torch
from torch import nn
torch.manual_seed(7)
def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.5)
        nn.init.zeros_(m.bias)
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
model.apply(init_weights)
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
opt = torch.optim.Adam(model.parameters(), lr=0.02)
loss_fn = nn.BCEWithLogitsLoss()
for epoch in range(300):
    opt.zero_grad()
    loss = loss_fn(model(X), Y)
    loss.backward()
    opt.step()
print("loss", loss.item(), "acc", ((model(X) > 0).float() == Y).float().mean().item())
