# question: I want to learn where to crop; position.grad is None.
# ask: explain position
# cause: the position is turned to a whole number for indexing, which has no gradient
# line: start = int(position.item())
# cure: soft (interpolated) crop: weights that depend on position, such as a linear interpolation or grid_sample
# harmful: requires_grad on the crop
import torch

position = torch.tensor(3.4, requires_grad=True)
gain = torch.tensor(1.0, requires_grad=True)
signal = torch.arange(10.0)
start = int(position.item())
crop = gain * signal[start:start + 4]
crop.sum().backward()
