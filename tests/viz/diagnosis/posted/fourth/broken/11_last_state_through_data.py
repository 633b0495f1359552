# question: The LSTM of my sentiment model never changes, only the linear layer on top learns.
# ask: explain lstm.weight_hh_l0
# ask: diagnose train_batch
# cause: h_n.data has no history: the head is cut off from the LSTM there
# line: feature = h_n.data[-1]
# cure: h_n[-1]
# harmful: feature.requires_grad_()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(11)
words = nn.Embedding(30, 6)
lstm = nn.LSTM(6, 8, batch_first=True)
head = nn.Linear(8, 2)
params = [*words.parameters(), *lstm.parameters(), *head.parameters()]
opt = torch.optim.Adam(params, lr=0.01)
ids = torch.randint(0, 30, (16, 7))
label = (ids[:, 0] > 15).long()


def train_batch():
    out, (h_n, c_n) = lstm(words(ids))
    feature = h_n.data[-1]
    loss = F.cross_entropy(head(feature), label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = train_batch()
