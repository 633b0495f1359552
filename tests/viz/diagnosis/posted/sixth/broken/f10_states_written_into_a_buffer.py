# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: the recurrence reads views of `states` and writes to it in place afterwards: the saved views have a newer version.
# line: states[:, t] = torch.tanh(states[:, t - 1] @ W + x[:, t])
# good: states is changed in place at that line; collect in a list and torch.stack.
# harmful: detach; retain_graph; states.data[...] = .
import torch
torch.manual_seed(9)
W = (torch.randn(5, 5) * 0.3).requires_grad_()
opt = torch.optim.SGD([W], lr=0.05)
x = torch.randn(8, 6, 5)
goal = torch.randn(8, 5)
for epoch in range(3):
    states = torch.zeros(8, 6, 5)
    for t in range(1, 6):
        states[:, t] = torch.tanh(states[:, t - 1] @ W + x[:, t])
    loss = (states[:, -1] - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
