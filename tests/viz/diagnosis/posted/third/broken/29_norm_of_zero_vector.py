# question: Triplet loss by hand: the gradient of the embeddings is nan in the first iteration.
# ask: explain e
# cause: anchor and positive are the same point, the norm of their difference is 0 and the slope of the norm is undefined there
# line: d_pos = torch.sqrt(((e[0] - e[0]) ** 2).sum())
# cure: add an epsilon under the root, or leave out equal pairs
# harmful: gradient clipping
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(29)
e = torch.randn(2, 3, requires_grad=True)
d_pos = torch.sqrt(((e[0] - e[0]) ** 2).sum())
d_neg = torch.sqrt(((e[0] - e[1]) ** 2).sum())
loss = torch.relu(d_pos - d_neg + 5.0)
loss.backward()
