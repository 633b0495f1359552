# ask: explain error
# ask: diagnose for epoch in range(EPOCHS)
# cause: 13 batches per epoch but steps_per_epoch = 100 // 8 = 12.
# line: sched.step()
# line: sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, epochs=EPOCHS, steps_per_epoch=len(x) // rows)
# cure: ceil (`-(-len(x) // rows)`, 13), total_steps, drop the partial batch.
# harmful: try/except; remove sched.step (partial); step per epoch.
import torch
from torch import nn

torch.manual_seed(28)
x = torch.randn(100, 3)
y = x.sum(1, keepdim=True)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
EPOCHS = 4
rows = 8
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, epochs=EPOCHS, steps_per_epoch=len(x) // rows)

for epoch in range(EPOCHS):
    for part in torch.randperm(100).split(rows):
        loss = nn.functional.mse_loss(net(x[part]), y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
