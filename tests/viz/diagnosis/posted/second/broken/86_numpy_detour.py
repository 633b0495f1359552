# question: Can't call numpy() on Tensor that requires grad: I compute part of my loss with NumPy.
# ask: explain out
# raises: RuntimeError
# cause: numpy() on a tensor that requires a gradient: the detour through NumPy has no gradient
# line: values = out.numpy()
# cure: stay in torch for what is trained || out.detach().numpy() when only for looking
# harmful: detach() in the loss
import torch
from torch import nn

torch.manual_seed(86)
out = nn.Linear(2, 2)(torch.ones(1, 2))
values = out.numpy()
