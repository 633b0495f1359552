# question: A linear SVM with -1 and 1; many samples add no gradient.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(29)
x = torch.randn(50, 2)
t = torch.sign(x[:, 0])
svm = nn.Linear(2, 1)
opt = torch.optim.SGD(svm.parameters(), lr=0.1, weight_decay=1e-3)


def step():
    opt.zero_grad()
    loss = torch.clamp(1 - t * svm(x).squeeze(1), min=0).mean()
    loss.backward()
    opt.step()
    return loss

for _ in range(40):
    loss = step()
