# question: 'float' object has no attribute 'backward' in my circle fit.
# ask: explain error
# cause: math.sqrt makes a Python number out of the tensor, which has no history
# line: r = math.sqrt((cx - 3) ** 2 + (cy - 4) ** 2)
# cure: torch.sqrt
# harmful: torch.tensor(loss, requires_grad=True)
import math

import torch

cx = torch.tensor(0.5, requires_grad=True)
cy = torch.tensor(0.5, requires_grad=True)
r = math.sqrt((cx - 3) ** 2 + (cy - 4) ** 2)
loss = (r - 1.0) ** 2
loss.backward()
