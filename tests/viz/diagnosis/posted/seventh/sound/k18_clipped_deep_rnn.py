# ask: explain loss
# ask: diagnose for it in range(200)
# cause: deep tanh RNN, clip_grad_norm_ between backward and step.
# good: nothing found.
# harmful: move/drop the clip.
import torch
import torch.nn as nn

torch.manual_seed(17)


class Adder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, 32, num_layers=2, batch_first=True)
        self.fc = nn.Linear(32, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.fc(out[:, -1, :])


net = Adder()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

for it in range(200):
    x = torch.rand(32, 12, 2)
    y = x[:, :, 0].mean(1, keepdim=True) - x[:, :, 1].mean(1, keepdim=True)
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.5)
    opt.step()
print(loss.item())
