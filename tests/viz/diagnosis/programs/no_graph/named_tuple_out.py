# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

from collections import namedtuple
Out = namedtuple("Out", "logits aux")
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(2, 2)
    def forward(self, x):
        z = self.l(x)
        return Out(logits=z.detach(), aux=z.sum().item())  # guilty
out = Net()(T.ones(1, 2))
loss = out.logits.mean()
loss.backward()
