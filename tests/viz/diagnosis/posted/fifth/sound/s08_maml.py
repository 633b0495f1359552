# ask: explain meta_loss
# ask: diagnose for it in range(40)
# cause: MAML with create_graph=True in the inner step on purpose.
# good: nothing found.
# harmful: remove create_graph / detach inner gradients.
import torch
torch.manual_seed(7)
w = torch.randn(1, 8) * 0.5
w.requires_grad_()
b = torch.zeros(8, requires_grad=True)
v = (torch.randn(8, 1) * 0.3).requires_grad_()
theta = [w, b, v]
meta_opt = torch.optim.Adam(theta, lr=1e-2)
def f(params, x):
    w, b, v = params
    return torch.tanh(x @ w + b) @ v
def task():
    phase = torch.rand(1) * 3
    x = torch.rand(20, 1) * 4 - 2
    return x[:10], torch.sin(x[:10] + phase), x[10:], torch.sin(x[10:] + phase)
for it in range(40):
    meta_loss = 0
    for _ in range(3):
        xs, ys, xq, yq = task()
        inner = ((f(theta, xs) - ys) ** 2).mean()
        grads = torch.autograd.grad(inner, theta, create_graph=True)
        fast = [p - 0.1 * g for p, g in zip(theta, grads)]
        meta_loss = meta_loss + ((f(fast, xq) - yq) ** 2).mean()
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
print("loss", meta_loss.item())
