# question: Fine-tuning: element 0 of tensors does not require grad.
# ask: explain error
# cause: only names with "fc" stay trainable, but the new layer is called classifier, so everything is frozen
# line: if "fc" not in name: || p.requires_grad = False
# cure: if "classifier" not in name
# harmful: loss.requires_grad_(); inputs that require grad
import torch
from torch import nn
import torch.nn.functional as F

class Pretrained(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(6, 8)
        self.classifier = nn.Linear(8, 3)

    def forward(self, x):
        return self.classifier(torch.relu(self.features(x)))


torch.manual_seed(50)
model = Pretrained()
for name, p in model.named_parameters():
    if "fc" not in name:
        p.requires_grad = False
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
x, y = torch.randn(12, 6), torch.randint(0, 3, (12,))
loss = F.cross_entropy(model(x), y)
loss.backward()
opt.step()
