# question: "one of the variables needed for gradient computation has been modified by an inplace operation" in my hand-written softmax.
# ask: explain loss
# raises: RuntimeError
# cause: exp keeps its result for backward and `/=` overwrites it in place
# line: weights /= weights.sum(dim=-1, keepdim=True)
# cure: weights = weights / weights.sum(...) (not in place)
# harmful: retain_graph=True; wrap in no_grad
import torch

torch.manual_seed(64)
q = torch.randn(4, 3, requires_grad=True)
k = torch.randn(4, 3)
weights = torch.exp(q @ k.T)
weights /= weights.sum(dim=-1, keepdim=True)
loss = (weights * torch.eye(4)).sum()
loss.backward()
