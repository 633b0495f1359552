# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: forward hook collecting detached activations, tensor hook on a parameter scaling its gradient on purpose.
# good: nothing found.
# harmful: remove hooks.
import torch
import torch.nn as nn

torch.manual_seed(21)
model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
stats = []


def save_activation(module, inputs, output):
    stats.append(output.detach().abs().mean().item())


handle = model[1].register_forward_hook(save_activation)
model[0].weight.register_hook(lambda g: 0.5 * g)       # the first layer learns at half speed
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
x = torch.randn(128, 4)
y = x[:, :1].abs() + x[:, 1:2]

for epoch in range(100):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
handle.remove()
print(loss.item(), stats[-1])
