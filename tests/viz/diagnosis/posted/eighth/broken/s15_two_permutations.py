# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: features and labels are shuffled by two different permutations: pairs are destroyed.
# line: f_tr, c_tr = shuffled(feats[:400]), shuffled(cls[:400])
# line: def shuffled(t):
# line: return t[torch.randperm(len(t))]
# cure: one permutation for both; no shuffling; same seed for both.
# harmful: bigger model, longer training.
import torch
import torch.nn as nn

torch.manual_seed(21)
feats = torch.randn(500, 6)
cls = (feats[:, 0] - feats[:, 3] > 0).long() + (feats[:, 1] > 0.8).long()


def shuffled(t):
    return t[torch.randperm(len(t))]


f_tr, c_tr = shuffled(feats[:400]), shuffled(cls[:400])
f_te, c_te = feats[400:], cls[400:]

model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
ce = nn.CrossEntropyLoss()

for epoch in range(40):
    for lo in range(0, 400, 25):
        opt.zero_grad()
        loss = ce(model(f_tr[lo:lo + 25]), c_tr[lo:lo + 25])
        loss.backward()
        opt.step()
    if epoch % 10 == 0:
        print(epoch, round(loss.item(), 3))

print("test acc", (model(f_te).argmax(1) == c_te).float().mean().item())
