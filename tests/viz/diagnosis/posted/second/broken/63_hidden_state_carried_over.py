# question: My LSTM trains for exactly one batch, then: Trying to backward through the graph a second time.
# ask: explain loss
# raises: RuntimeError
# cause: the hidden state of the last batch is carried on with its graph, which the last backward freed
# line: out, state = lstm(chunk, state)
# cure: detach the state between the batches
# harmful: retain_graph=True
import torch
from torch import nn

torch.manual_seed(63)
lstm = nn.LSTM(3, 5, batch_first=True)
opt = torch.optim.SGD(lstm.parameters(), lr=0.1)
state = (torch.zeros(1, 2, 5), torch.zeros(1, 2, 5))
for chunk in torch.randn(4, 2, 6, 3):
    out, state = lstm(chunk, state)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
