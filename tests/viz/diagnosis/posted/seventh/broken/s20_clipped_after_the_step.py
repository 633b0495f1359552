# ask: explain loss
# ask: diagnose for it in range(200)
# cause: gradients are clipped after `optimizer.step()`, so clipping has no effect: outliers blow up the weights.
# line: nn.utils.clip_grad_norm_(net.parameters(), 1.0)
# cure: clip between backward() and step().
# harmful: clip before backward (also without effect); removing clipping; clipping the loss with clamp.
import torch
import torch.nn as nn

torch.manual_seed(19)


class RNNReg(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(1, 16, batch_first=True, nonlinearity="relu")
        self.lin = nn.Linear(16, 1)

    def forward(self, s):
        o, _ = self.rnn(s)
        return self.lin(o[:, -1])


net = RNNReg()
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
loss_fn = nn.MSELoss()

for it in range(200):
    seq = torch.rand(32, 15, 1)
    tgt = seq.sum(dim=1)
    optimizer.zero_grad()
    loss = loss_fn(net(seq), tgt)
    loss.backward()
    optimizer.step()
    # exploding gradients
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if it % 40 == 0:
        print(it, loss.item())
