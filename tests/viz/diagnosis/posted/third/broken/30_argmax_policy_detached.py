# question: Deep Q: q_values.max(1)[1] goes into my loss and the network's weights get no gradient.
# ask: explain q_w
# cause: the index of the maximum has no gradient; the values are needed
# line: best = q.max(1)[1]
# cure: use q.max(1)[0] (the values), or gather
# harmful: requires_grad on best
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(30)
q_net, bias = nn.Linear(4, 3), torch.zeros(1, requires_grad=True)
q_w = q_net.weight
q = q_net(torch.randn(6, 4))
best = q.max(1)[1]
loss = (best.float() + bias - 1.0).pow(2).mean()
loss.backward()
