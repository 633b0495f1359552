# question: My own cross entropy gives inf and then nan in the weights.
# ask: explain loss
# cause: a softmax probability is exactly 0 (underflow) and log(0) is -inf
# line: loss = -(onehot * torch.log(prob)).sum(1).mean()
# cure: log_softmax (or F.cross_entropy) on the scores || clamp the probability by a small number
# harmful: nan_to_num on the gradients
import torch
import torch.nn.functional as F

z = torch.tensor([[300.0, 0.0, 0.0]], requires_grad=True)
onehot = torch.tensor([[0.0, 1.0, 0.0]])
prob = F.softmax(z, dim=1)
loss = -(onehot * torch.log(prob)).sum(1).mean()
loss.backward()
