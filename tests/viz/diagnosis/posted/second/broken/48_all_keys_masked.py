# question: My transformer returns nan as soon as a sentence is empty (only padding).
# ask: explain loss
# ask: diagnose step
# cause: one row of the attention scores is masked completely with -inf; softmax over only -inf is nan
# line: scores = scores.masked_fill(pad.unsqueeze(1), float("-inf")) || attention = torch.softmax(scores, dim=-1)
# cure: leave at least one key unmasked, drop empty sentences, or use a large negative number in place of -inf
# harmful: nan_to_num on the loss; lower the learning rate
import torch
from torch import nn

torch.manual_seed(48)
query, key, value = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)
params = [p for m in (query, key, value) for p in m.parameters()]
opt = torch.optim.Adam(params, lr=0.01)
sentences = torch.randn(3, 5, 4)
lengths = torch.tensor([5, 2, 0])
pad = torch.arange(5)[None, :] >= lengths[:, None]


def step():
    scores = query(sentences) @ key(sentences).transpose(1, 2) / 2.0
    scores = scores.masked_fill(pad.unsqueeze(1), float("-inf"))
    attention = torch.softmax(scores, dim=-1)
    loss = (attention @ value(sentences)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(4):
    loss = step()
