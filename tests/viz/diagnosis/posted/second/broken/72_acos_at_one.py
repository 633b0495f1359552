# question: Rotation loss with acos gives nan gradients when prediction and truth are the same.
# ask: explain angle_pred
# cause: the derivative of acos at 1 is infinite
# line: theta = torch.acos(cosine)
# cure: clamp the cosine to (-1+eps, 1-eps) before acos || use atan2 or 1 - cosine
# harmful: gradient clipping
import torch

angle_pred = torch.tensor([0.0, 0.5], requires_grad=True)
angle_true = torch.tensor([0.0, 0.2])
cosine = torch.cos(angle_pred) * torch.cos(angle_true) + torch.sin(angle_pred) * torch.sin(angle_true)
theta = torch.acos(cosine)
theta.sum().backward()
