# question: I call retain_grad and read the gradient of the hidden layer.
# ask: explain hidden
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn

torch.manual_seed(37)
hidden = nn.Linear(3, 4)(torch.randn(2, 3))
hidden.retain_grad()
hidden.tanh().sum().backward()
