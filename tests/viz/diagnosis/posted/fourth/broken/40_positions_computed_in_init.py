# question: My transformer fails in the second batch with "backward through the graph a second time".
# ask: explain error
# cause: the learned positions are put through a layer once in __init__, and that graph is used in every batch
# line: self.positions = self.scale * torch.sin(torch.arange(6.0)[:, None] * torch.ones(4))
# cure: compute it in forward
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.positions = self.scale * torch.sin(torch.arange(6.0)[:, None] * torch.ones(4))
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out((x + self.positions).tanh()).mean(1)


torch.manual_seed(40)
net = Encoder()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(3):
    x = torch.randn(8, 6, 4)
    loss = F.mse_loss(net(x), x[:, 0, :1])
    opt.zero_grad()
    loss.backward()
    opt.step()
