# question: My character classifier printed the same loss 30 times although I call optimizer.step() every iteration.
# ask: explain loss
# ask: diagnose step
# cause: the optimizer holds the parameters of the first model; a second model is made afterwards and trained, so the trained model never moves
# line: net = CharNet(27, 16, 4) || optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
# cure: build the optimizer after the last model is made (or do not make the model again)
# harmful: raise the learning rate; change the architecture
import torch
from torch import nn
import torch.nn.functional as F


class CharNet(nn.Module):
    def __init__(self, letters, hidden, classes):
        super().__init__()
        self.emb = nn.Embedding(letters, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, name):
        return self.out(torch.tanh(self.emb(name)).mean(1))


torch.manual_seed(0)
names = torch.randint(0, 27, (40, 6))
country = names[:, 0] % 4
net = CharNet(27, 16, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
print(net)
net = CharNet(27, 16, 4)


def step():
    optimizer.zero_grad()
    loss = F.cross_entropy(net(names), country)
    loss.backward()
    optimizer.step()
    return loss


for epoch in range(25):
    loss = step()
