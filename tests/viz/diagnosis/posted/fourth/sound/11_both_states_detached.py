# question: h and c are detached between chunks.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(11)
lstm, head = nn.LSTM(3, 5), nn.Linear(5, 1)
opt = torch.optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
series = torch.randn(24, 2, 3)
state = (torch.zeros(1, 2, 5), torch.zeros(1, 2, 5))


def step():
    global state
    for chunk in series.split(6):
        state = tuple(s.detach() for s in state)
        out, state = lstm(chunk, state)
        loss = F.mse_loss(head(out), chunk[..., :1])
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss

for _ in range(5):
    loss = step()
