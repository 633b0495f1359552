# question: I compute one energy per atom in a loop and put them in a tensor; backward says no grad_fn.
# ask: explain energy
# raises: RuntimeError
# cause: torch.tensor(list) copies the numbers and loses the history
# line: energy = torch.tensor(parts).sum()
# cure: torch.stack(parts).sum() (or sum(parts))
# harmful: requires_grad=True on the new tensor
import torch

k = torch.tensor(1.5, requires_grad=True)
positions = [0.1, 0.4, -0.3]
parts = []
for r in positions:
    parts.append(0.5 * k * r ** 2)
energy = torch.tensor(parts).sum()
energy.backward()
