import torch

a = torch.tensor([2, 3], requires_grad=True)
Q = 3 * a**3
Q.sum().backward()
