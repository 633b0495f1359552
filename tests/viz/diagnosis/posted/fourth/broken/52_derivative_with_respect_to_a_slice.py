# question: PINN: One of the differentiated Tensors appears to not have been used in the graph.
# ask: explain error
# cause: t = xt[:, 1:] is cut out after (and apart from) what the net got; u depends on xt, not on t
# line: u_t = torch.autograd.grad(u.sum(), t, create_graph=True)[0] || t = xt[:, 1:]
# cure: grad with respect to xt and take the column, or make x and t apart and cat them for the net
# harmful: allow_unused=True as the cure
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(52)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
xt = torch.rand(20, 2, requires_grad=True)
x = xt[:, :1]
t = xt[:, 1:]
u = net(xt)
u_t = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
loss = u_t.pow(2).mean()
loss.backward()
