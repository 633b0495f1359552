# question: grad of grad with create_graph: is t.grad right?
# ask: explain t
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch

t = torch.tensor(2.0, requires_grad=True)
(first,) = torch.autograd.grad(t ** 4, t, create_graph=True)
first.pow(2).backward()
