import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 6), torch.nn.Tanh(), torch.nn.Linear(6, 1))
torch.nn.init.constant_(net[0].weight, 0.3)
torch.nn.init.constant_(net[2].weight, 0.3)
torch.nn.init.zeros_(net[0].bias)
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.randn(40, 3)
y = (x[:, :1] * x[:, 1:2]).sign()
for step in range(25):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
