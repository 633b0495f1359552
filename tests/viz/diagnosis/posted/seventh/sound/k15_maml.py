# ask: explain loss
# ask: diagnose for it in range(150)
# cause: MAML: inner step by autograd.grad(create_graph=True) and functional weights; only the outer step changes the weights; loss (query loss after adaptation) falls.
# good: nothing found.
# harmful: detach inner gradients.
import torch
import torch.nn as nn
from torch.func import functional_call

torch.manual_seed(14)
net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
meta_opt = torch.optim.Adam(net.parameters(), lr=5e-3)
inner_lr = 0.1


def adapted_loss(xs, ys, xq, yq):
    fast = dict(net.named_parameters())
    for _ in range(2):
        inner = nn.functional.mse_loss(functional_call(net, fast, (xs,)), ys)
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: w - inner_lr * g for (k, w), g in zip(fast.items(), grads)}
    return nn.functional.mse_loss(functional_call(net, fast, (xq,)), yq)


for it in range(150):
    losses = []
    for task in range(4):
        slope, bias = torch.randn(2)
        xs, xq = torch.randn(10, 1), torch.randn(10, 1)
        losses.append(adapted_loss(xs, slope * xs + bias, xq, slope * xq + bias))
    loss = torch.stack(losses).mean()
    meta_opt.zero_grad()
    loss.backward()
    meta_opt.step()
print(loss.item())
