# question: One of the differentiated Tensors appears to not have been used in the graph, in my PINN.
# ask: explain u
# raises: RuntimeError
# cause: u is computed from x, not from t, so its derivative by t does not exist in the graph
# line: u = net(x) || u_t = torch.autograd.grad(u.sum(), t)[0]
# cure: let u depend on t (feed x and t to the net) || allow_unused=True if that is meant
# harmful: requires_grad on u
import torch
from torch import nn

torch.manual_seed(83)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.rand(5, 1, requires_grad=True)
t = torch.rand(5, 1, requires_grad=True)
u = net(x)
u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
u_t = torch.autograd.grad(u.sum(), t)[0]
