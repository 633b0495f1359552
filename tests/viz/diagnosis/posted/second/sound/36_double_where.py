# question: Is the gradient right with two wheres around sqrt?
# ask: explain d
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch

d = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
ok = torch.where(d > 0, d, torch.ones_like(d))
safe = torch.where(d > 0, ok.sqrt(), torch.zeros_like(d))
safe.sum().backward()
