# says_any = [".data"]
# cure_any = ["leave .data out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Base(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = T.nn.Parameter(T.ones(3))
    def forward(self, x):
        return (self.w * x).data  # guilty
class Child(Base):
    def forward(self, x):
        return super().forward(x).sum()
loss = Child()(T.ones(3))
loss.backward()
