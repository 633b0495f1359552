# question: A hypernetwork makes the weights of a small net; the hypernetwork gets no gradients.
# ask: explain hyper.weight
# cause: load_state_dict copies the numbers without history; the loss does not depend on the hypernetwork
# line: small.load_state_dict({"weight": made.view(1, 3), "bias": torch.zeros(1)})
# cure: torch.func.functional_call(small, {...}, (x,)) or F.linear(x, made.view(1, 3))
# harmful: retain_graph
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(47)
hyper = nn.Linear(2, 3)
small = nn.Linear(3, 1)
made = hyper(torch.ones(1, 2))
small.load_state_dict({"weight": made.view(1, 3), "bias": torch.zeros(1)})
x, y = torch.randn(10, 3), torch.randn(10, 1)
loss = F.mse_loss(small(x), y)
loss.backward()
print(hyper.weight.grad)
