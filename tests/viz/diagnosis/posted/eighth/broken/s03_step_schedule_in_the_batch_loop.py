# ask: explain out
# ask: diagnose for epoch in range(25)
# cause: `plan.step()` is called per batch (20 an epoch) while step_size=10 is meant in epochs: the rate is 0 after a few epochs.
# line: plan.step()
# line: plan = torch.optim.lr_scheduler.StepLR(sgd, step_size=10, gamma=0.1)
# cure: move `plan.step()` out of the batch loop (after the epoch), or `step_size=10 * len(dl)`.
# harmful: raising lr only; removing `sgd.step()`; swapping order of step calls.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X = torch.randn(640, 10)
W = torch.randn(10, 3)
Y = (torch.tanh(X) @ W).argmax(1)
dl = DataLoader(TensorDataset(X, Y), batch_size=32, shuffle=True)

clf = nn.Sequential(nn.Linear(10, 40), nn.ReLU(), nn.Linear(40, 3))
crit = nn.CrossEntropyLoss()
sgd = torch.optim.SGD(clf.parameters(), lr=0.05)
plan = torch.optim.lr_scheduler.StepLR(sgd, step_size=10, gamma=0.1)

for epoch in range(25):
    run = 0.0
    for a, b in dl:
        sgd.zero_grad()
        out = crit(clf(a), b)
        out.backward()
        sgd.step()
        plan.step()
        run += out.item()
    if epoch % 5 == 0:
        print(epoch, round(run / len(dl), 4))

print("acc", (clf(X).argmax(1) == Y).float().mean().item())
