# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: `part` is a view of the data set: `-=`, `/=` normalise the stored data again each epoch until it is constant.
# line: part -= mean
# line: part /= std
# line: part = store[k:k + size]
# cure: `part = (part - mean) / std`; clone; normalise once before the loop.
# harmful: lower lr; recomputing mean/std each time (hides it); removing normalisation.
import torch
import torch.nn as nn

torch.manual_seed(32)
pix = torch.rand(512, 16) * 255
lab = (pix[:, :8].sum(1) > pix[:, 8:].sum(1)).long()
mean, std = pix.mean(), pix.std()


def fetch(store, target, size):
    for k in range(0, len(store), size):
        part = store[k:k + size]
        part -= mean
        part /= std
        yield part, target[k:k + size]


net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.02)
ce = nn.CrossEntropyLoss()
test = (torch.rand(300, 16) * 255 - mean) / std
answer = (test[:, :8].sum(1) > test[:, 8:].sum(1)).long()

for epoch in range(40):
    for a, b in fetch(pix, lab, 64):
        opt.zero_grad()
        loss = ce(net(a), b)
        loss.backward()
        opt.step()
    if epoch % 8 == 0:
        print(epoch, loss.item())
print("acc", (net(test).argmax(1) == answer).float().mean().item())
