# question: mat1 and mat2 must have the same dtype, but got Double and Float.
# ask: explain error
# cause: NumPy's numbers are float64, the layer's weights float32
# line: x = torch.from_numpy(np.random.rand(10, 4)) || loss = net(x).mean()
# cure: .float()
# harmful: requires_grad_
import numpy as np
import torch
from torch import nn

x = torch.from_numpy(np.random.rand(10, 4))
net = nn.Linear(4, 1)
loss = net(x).mean()
loss.backward()
