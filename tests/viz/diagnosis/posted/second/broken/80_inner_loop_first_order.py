# question: MAML: the meta parameter gets no gradient from the second-order term: does not require grad.
# ask: explain outer
# raises: RuntimeError
# cause: the inner gradient is taken without create_graph=True, so g has no history and the outer loss nothing to differentiate
# line: (g,) = torch.autograd.grad(inner, fast)
# cure: create_graph=True in the inner autograd.grad
# harmful: requires_grad_() on the outer loss
import torch

fast = torch.tensor([1.0, -2.0], requires_grad=True)
inner = (fast ** 3).sum()
(g,) = torch.autograd.grad(inner, fast)
outer = g.pow(2).sum()
outer.backward()
