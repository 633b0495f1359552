# question: RuntimeError: grad can be implicitly created only for scalar outputs, what does that mean?
# ask: explain loss
# raises: RuntimeError
# cause: backward is called on a vector (reduction='none' gives one loss a sample), it needs one number
# line: loss = F.mse_loss(guess, wanted, reduction="none") || loss.backward()
# cure: take loss.mean() (or sum()) before backward || pass a gradient of the loss's shape
# harmful: retain_graph=True
import torch
import torch.nn.functional as F

slope = torch.tensor(2.0, requires_grad=True)
inputs = torch.arange(4.0)
wanted = 3 * inputs
guess = slope * inputs
loss = F.mse_loss(guess, wanted, reduction="none")
loss.backward()
