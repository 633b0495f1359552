# ask: explain loss
# ask: diagnose for it in range(300)
# cause: sound; what looks suspicious and is meant: the gradients come from autograd.grad.
# good: nothing found.
# harmful: any claim of a fault.
import torch

torch.manual_seed(9)
x = torch.randn(150, 2)
y = (x[:, :1] - 2 * x[:, 1:] > 0).float()
w1, b1 = torch.randn(2, 8) * 0.5, torch.zeros(8)
w2, b2 = torch.randn(8, 1) * 0.5, torch.zeros(1)
ps = [w1, b1, w2, b2]
for p in ps:
    p.requires_grad_()
for it in range(300):
    out = torch.tanh(x @ w1 + b1) @ w2 + b2
    loss = torch.nn.functional.binary_cross_entropy_with_logits(out, y)
    gs = torch.autograd.grad(loss, ps)
    with torch.no_grad():
        for p, g in zip(ps, gs):
            p -= 0.5 * g
print("acc", ((out > 0) == (y > 0)).float().mean().item())
