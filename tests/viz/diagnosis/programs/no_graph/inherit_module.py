# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Base(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = T.nn.Parameter(T.ones(3))
    def features(self, x):
        return (self.w * x).detach()  # guilty
class Child(Base):
    def forward(self, x):
        return self.features(x).sum()
Child()(T.ones(3)).backward()
