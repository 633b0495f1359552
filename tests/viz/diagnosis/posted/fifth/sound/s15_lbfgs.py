# ask: explain loss
# ask: diagnose for i in range(10)
# cause: LBFGS with a closure.
# good: nothing found.
# harmful: any.
import torch
torch.manual_seed(14)
xy = torch.tensor([-1.2, 1.0], requires_grad=True)
opt = torch.optim.LBFGS([xy], lr=0.5, max_iter=10)
def closure():
    opt.zero_grad()
    x, y = xy[0], xy[1]
    loss = (1 - x) ** 2 + 100 * (y - x ** 2) ** 2
    loss.backward()
    return loss
for i in range(10):
    loss = opt.step(closure)
print("loss", loss.item())
