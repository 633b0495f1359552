# question: The masked loss is nan for some batches, the predictions are fine.
# ask: explain loss
# cause: the mask of this batch is empty, so the mean divides 0 by 0
# line: loss = ((pred - gold).abs() * valid).sum() / valid.sum()
# cure: divide by valid.sum().clamp(min=1) || skip batches with an empty mask
# harmful: nan_to_num on the weights
import torch

torch.manual_seed(75)
pred = torch.randn(6, requires_grad=True)
gold = torch.zeros(6)
valid = (gold > 0).float()
loss = ((pred - gold).abs() * valid).sum() / valid.sum()
loss.backward()
