# ask: explain error
# ask: diagnose for it in range(5)
# cause: `view(-1, 96)` folds the wrong size into the batch (true 6*8*8 = 384).
# line: loss = nn.functional.cross_entropy(net(img), lab)
# line: x = x.view(-1, 6 * 4 * 4)
# line: self.out = nn.Linear(6 * 4 * 4, 2)
# cure: `x.flatten(1)`/`view(x.size(0), -1)` and `nn.Linear(6 * 8 * 8, 2)` (or another pool). Only the view changed = half (then a mat1/mat2 error tells the rest): right if the answer names 384.
# harmful: repeating labels, `lab.repeat(4)`, slicing the output.
import torch
import torch.nn as nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.out = nn.Linear(6 * 4 * 4, 2)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv(x)))
        x = x.view(-1, 6 * 4 * 4)
        return self.out(x)


torch.manual_seed(23)
net = Small()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for it in range(5):
    img = torch.randn(10, 3, 16, 16)
    lab = torch.randint(0, 2, (10,))
    loss = nn.functional.cross_entropy(net(img), lab)
    opt.zero_grad()
    loss.backward()
    opt.step()
