# question: My metric learning loss is a normal number but all embedding gradients are nan.
# ask: explain points
# cause: the distance of a point to itself is 0 and the square root has an infinite slope there (inf * 0)
# line: dist = ((points[:, None] - points[None]) ** 2).sum(-1).sqrt()
# cure: add a small eps under the root || leave out the diagonal before the root || clamp(min=eps)
# harmful: nan_to_num on the loss; lower learning rate
import torch

torch.manual_seed(71)
points = torch.randn(4, 2, requires_grad=True)
dist = ((points[:, None] - points[None]) ** 2).sum(-1).sqrt()
loss = torch.relu(1.0 - dist).mean()
loss.backward()
