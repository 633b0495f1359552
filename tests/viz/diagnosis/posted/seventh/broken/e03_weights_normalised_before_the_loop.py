# ask: explain error
# ask: diagnose for step in range(20)
# cause: the normalised weights are computed once outside the loop; the second backward goes through that freed graph.
# line: w = v / v.norm() (before the loop)
# cure: compute w inside the loop.
# harmful: `retain_graph=True` (w would be stale; raises the in-place version error next); detach w (v never learns).
import torch
import torch.nn.functional as F

torch.manual_seed(2)
X = torch.randn(100, 5)
target = X @ F.normalize(torch.randn(5), dim=0)
v = torch.randn(5, requires_grad=True)
optimizer = torch.optim.SGD([v], lr=0.5)
w = v / v.norm()      # unit direction

for step in range(20):
    loss = F.mse_loss(X @ w, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
