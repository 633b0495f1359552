# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Head(T.nn.Module):
    def __init__(self, dim, hard=True):
        super().__init__()
        self.lin = T.nn.Linear(dim, dim)
        self.hard = hard
    def forward(self, *, inputs, temperature=1.0):
        logits = self.lin(inputs) / temperature
        if self.hard:
            return (logits == logits.max()).float()  # guilty
        return T.softmax(logits, 1)
h = Head(3)
out = h(inputs=T.ones(2, 3), temperature=0.5)
out.mean().backward()
