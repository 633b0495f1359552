# ask: explain loss
# ask: diagnose for epoch in range(400)
# cause: all weights are initialised to one constant, all hidden units stay equal (symmetry), the net acts as one unit.
# line: nn.init.constant_(m.weight, 0.1)
# cure: kaiming/xavier/normal init (or leave the default).
# harmful: init to zero; bigger hidden layer; raising lr.
import torch
import torch.nn as nn


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.1)
        nn.init.constant_(m.bias, 0.0)


torch.manual_seed(21)
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
xor_net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1), nn.Sigmoid())
xor_net.apply(init_weights)
optimizer = torch.optim.Adam(xor_net.parameters(), lr=0.05)
criterion = nn.BCELoss()

for epoch in range(400):
    optimizer.zero_grad()
    output = xor_net(X)
    loss = criterion(output, Y)
    loss.backward()
    optimizer.step()
print(loss.item(), output.detach().flatten())
