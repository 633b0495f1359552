import torch
from torch import nn

torch.manual_seed(0)
rnn = nn.GRU(1, 8, batch_first=True)
readout = nn.Linear(8, 1)
everything = list(rnn.parameters()) + list(readout.parameters())
opt = torch.optim.Adam(everything, lr=0.05)
schedule = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.5)
waves = torch.sin(torch.linspace(0, 6, 11)).reshape(1, 11, 1)
losses = []
for epoch in range(20):
    opt.zero_grad()
    states, last = rnn(waves[:, :-1])
    loss = (readout(states) - waves[:, 1:]).pow(2).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(everything, max_norm=1.0)
    opt.step()
    schedule.step()
    losses.append(loss.item())
