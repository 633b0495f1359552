# question: a view of a leaf Variable that requires grad is being used in an in-place operation.
# ask: explain error
# cause: weight[0] is a view of a leaf that requires grad; writing to it has to stand in torch.no_grad()
# line: table.weight[0].zero_()
# cure: with torch.no_grad(), or padding_idx=0
# harmful: detach the embedding in forward
import torch
from torch import nn
import torch.nn.functional as F

table = nn.Embedding(10, 4)
table.weight[0].zero_()
