# ask: explain loss
# ask: diagnose for i in range(5)
# cause: torch.where discards log(0) in forward, but its gradient 0 * inf = NaN reaches w.
# line: safe = torch.where(counts > 0, torch.log(counts * w), torch.zeros_like(counts))
# good: where doesn't stop the NaN gradient of the branch not taken; make the argument safe before the log.
# harmful: nan_to_num on the loss/forward; clip.
import torch
torch.manual_seed(4)
counts = torch.tensor([0., 3., 1., 0., 8., 2.])
goal = torch.tensor([0., 1.5, 0.4, 0., 2.5, 1.0])
w = torch.ones(6, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(5):
    safe = torch.where(counts > 0, torch.log(counts * w), torch.zeros_like(counts))
    loss = ((safe - goal) ** 2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), w.tolist())
