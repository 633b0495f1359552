# question: I multiply padded positions by 0 but my loss is nan.
# ask: explain loss
# cause: the log of the padded probability is -inf, and 0 * -inf is nan
# line: loss = -(torch.log(p) * keep).sum()
# cure: pick the valid entries first (p[keep == 1]) or torch.where / masked_fill before the log
# harmful: nan_to_num on the gradient
import torch

p = torch.tensor([0.5, 0.25, 0.0], requires_grad=True)
keep = torch.tensor([1.0, 1.0, 0.0])
loss = -(torch.log(p) * keep).sum()
loss.backward()
