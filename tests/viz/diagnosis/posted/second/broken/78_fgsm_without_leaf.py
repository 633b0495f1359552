# question: AttributeError: 'NoneType' object has no attribute 'sign' in my adversarial attack.
# ask: explain image
# raises: AttributeError
# cause: the image does not require a gradient, so image.grad is None
# line: image = torch.rand(1, 8) || perturbation = 0.1 * image.grad.sign()
# cure: image.requires_grad_() before the forward pass
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(78)
victim = nn.Linear(8, 3)
image = torch.rand(1, 8)
F.cross_entropy(victim(image), torch.tensor([2])).backward()
perturbation = 0.1 * image.grad.sign()
