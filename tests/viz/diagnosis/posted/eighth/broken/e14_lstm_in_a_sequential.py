# ask: explain error
# ask: diagnose for step in range(5)
# cause: LSTM returns a tuple in a Sequential.
# line: logits = net(clip)
# line: nn.LSTM(4, 10, batch_first=True),
# line: net = nn.Sequential(
# line: nn.ReLU(),
# cure: take `[0]` in a wrapper module/outside the Sequential.
# harmful: remove ReLU (next layer fails); indexing `net(clip)[0]`.
import torch
import torch.nn as nn

torch.manual_seed(13)
net = nn.Sequential(
    nn.LSTM(4, 10, batch_first=True),
    nn.ReLU(),
    nn.Linear(10, 2),
)
opt = torch.optim.Adam(net.parameters())
for step in range(5):
    clip = torch.randn(6, 7, 4)
    tag = torch.randint(0, 2, (6,))
    logits = net(clip)
    loss = nn.functional.cross_entropy(logits[:, -1], tag)
    opt.zero_grad()
    loss.backward()
    opt.step()
