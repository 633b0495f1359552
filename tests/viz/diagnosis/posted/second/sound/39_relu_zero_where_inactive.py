# question: Some input gradients are exactly zero after ReLU.
# ask: explain x
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch

x = torch.tensor([-1.0, 0.5, 2.0, -3.0], requires_grad=True)
y = torch.relu(x) * torch.tensor([1.0, 2.0, 3.0, 4.0])
y.sum().backward()
