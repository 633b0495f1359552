# question: In my autoencoder the decoder gets better but encoder.weight.grad is always None.
# ask: explain enc_w
# ask: diagnose step
# cause: the code is detached before it enters the decoder, so no gradient reaches the encoder
# line: code = encoder(x).detach()
# cure: remove detach()
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)
encoder = nn.Linear(8, 2)
decoder = nn.Linear(2, 8)
enc_w = encoder.weight
both = list(encoder.parameters()) + list(decoder.parameters())
adam = torch.optim.Adam(both, lr=0.05)
x = torch.randn(20, 2) @ torch.randn(2, 8)


def step():
    adam.zero_grad()
    code = encoder(x).detach()
    loss = F.mse_loss(decoder(code), x)
    loss.backward()
    adam.step()
    return loss


for _ in range(25):
    loss = step()
