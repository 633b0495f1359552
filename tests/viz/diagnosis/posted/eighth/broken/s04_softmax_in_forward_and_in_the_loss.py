# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: softmax in forward and CrossEntropyLoss (softmax inside) => doubly normalised, tiny gradients, loss cannot fall below ~2.04.
# line: return torch.softmax(self.b(v), dim=1)
# line: criterion = nn.CrossEntropyLoss()
# line: loss = criterion(m(pts[j]), lab[j])
# cure: `return self.b(v)`; or keep probabilities and use `NLLLoss(torch.log(p + eps))`.
# harmful: NLLLoss on the probabilities without log; adding another (log_)softmax... (`log_softmax` instead of `softmax` in `forward` is acceptable: it is idempotent.)
import torch
import torch.nn as nn


class Glyphs(nn.Module):
    def __init__(self, width, kinds):
        super().__init__()
        self.a = nn.Linear(16, width)
        self.b = nn.Linear(width, kinds)

    def forward(self, v):
        v = torch.relu(self.a(v))
        return torch.softmax(self.b(v), dim=1)


torch.manual_seed(7)
centers = torch.randn(20, 16)
lab = torch.randint(0, 20, (800,))
pts = centers[lab] + 0.6 * torch.randn(800, 16)

m = Glyphs(64, 20)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(m.parameters(), lr=0.05)

for epoch in range(40):
    order = torch.randperm(800)
    for k in range(0, 800, 50):
        j = order[k:k + 50]
        optimizer.zero_grad()
        loss = criterion(m(pts[j]), lab[j])
        loss.backward()
        optimizer.step()
    if epoch % 10 == 0:
        print(epoch, loss.item())

print("acc", (m(pts).argmax(1) == lab).float().mean().item(), "loss", criterion(m(pts), lab).item())
