# question: I fill a tensor with my hidden states in the loop: modified by an inplace operation.
# ask: explain error
# cause: states[t] is written into the tensor whose earlier rows were saved for the backward pass
# line: states[t] = torch.tanh(states[t - 1] @ W + x[t])
# cure: collect the states in a list and stack them
# harmful: retain_graph=True; detach
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(43)
W = (0.3 * torch.randn(4, 4)).requires_grad_()
x = torch.randn(6, 4)
states = torch.zeros(6, 4)
for t in range(1, 6):
    states[t] = torch.tanh(states[t - 1] @ W + x[t])
loss = states.pow(2).sum()
loss.backward()
