# question: Two backward calls on separate graphs add their gradients, which I want.
# ask: explain w
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for scale in (1.0, 3.0):
    (scale * w).pow(2).sum().backward()
