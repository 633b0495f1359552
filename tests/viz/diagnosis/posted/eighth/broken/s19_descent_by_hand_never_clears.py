# ask: explain cost
# ask: diagnose for k in range(200)
# cause: the gradients are never zeroed in the hand-written descent, so they accumulate and the fit swings forever.
# line: cost.backward()
# line: with torch.no_grad():
# line: for p in (w, b):
# line: p -= rate * p.grad
# cure: `p.grad.zero_()`/`p.grad = None` per step. Lower rate alone = miss.
# harmful: wrapping more in no_grad; retain_graph.
import torch

torch.manual_seed(15)
x = torch.randn(200, 3)
y = x @ torch.tensor([[2.0], [-1.0], [0.5]]) + 0.3

w = torch.zeros(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
rate = 0.2

for k in range(200):
    r = x @ w + b - y
    cost = (r * r).mean()
    cost.backward()
    with torch.no_grad():
        for p in (w, b):
            p -= rate * p.grad
    if k % 20 == 0:
        print(k, cost.item())

print("cost", ((x @ w + b - y) ** 2).mean().item(), "w", w.flatten().tolist())
