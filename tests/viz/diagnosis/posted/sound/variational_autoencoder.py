import torch
import torch.nn.functional as F

torch.manual_seed(0)
encode, decode = torch.nn.Linear(6, 4), torch.nn.Linear(2, 6)
opt = torch.optim.Adam([*encode.parameters(), *decode.parameters()], lr=0.02)
x = torch.rand(20, 6)
losses = []
for step in range(30):
    mean, log_var = encode(x).chunk(2, dim=1)
    z = mean + torch.randn(20, 2) * torch.exp(log_var / 2)
    reconstruction = F.mse_loss(decode(z), x)
    kl = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).mean()
    loss = reconstruction + 0.01 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
