import numpy as np
import torch

rng = np.random.default_rng(0)
table = rng.normal(size=(20, 4)).astype("float32")
table[4, 1] = np.nan
x_train = torch.from_numpy(table[:, :3])
y_train = torch.from_numpy(table[:, 3:])

torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(3):
    out = net(x_train)
    loss = torch.nn.functional.mse_loss(out, y_train)
    opt.zero_grad()
    loss.backward()
    opt.step()
