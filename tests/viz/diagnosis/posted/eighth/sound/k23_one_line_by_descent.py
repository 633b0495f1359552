# ask: explain loss
# ask: diagnose for epoch in range(1500)
# cause: sound, an ordinary program.
# good: nothing found.
# harmful: any claim of a fault.
import torch

torch.manual_seed(22)
x = torch.rand(100, 1) * 10
y = 2.5 * x - 4 + torch.randn(100, 1) * 0.3
model = torch.nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(1500):
    loss = torch.nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 500 == 0:
        print(epoch, loss.item())
print(model.weight.item(), model.bias.item(), loss.item())
