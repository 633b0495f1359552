# question: Ages are binned to decades with // before the embedding, on purpose.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(13)
age = torch.randint(10, 90, (40,))
decade = age // 10
table = nn.Embedding(10, 1)
opt = torch.optim.SGD(table.parameters(), lr=0.5)
y = (age.float() / 90).unsqueeze(1)


def step():
    opt.zero_grad()
    loss = F.mse_loss(table(decade), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
