# question: torch.where protects my sqrt, the forward is finite, but the gradient is nan.
# ask: explain distance
# cause: the branch of where that is not used has an infinite derivative at 0, times zero gives nan
# line: safe = torch.where(distance > 0, torch.sqrt(distance), torch.zeros_like(distance))
# cure: make the input safe before sqrt (a where or clamp inside) e.g. torch.sqrt(torch.where(distance > 0, distance, ones))
# harmful: nan_to_num on the gradient
import torch

distance = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
safe = torch.where(distance > 0, torch.sqrt(distance), torch.zeros_like(distance))
safe.sum().backward()
