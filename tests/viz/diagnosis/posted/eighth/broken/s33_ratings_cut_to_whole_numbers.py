# ask: explain loss in main
# ask: diagnose for epoch in range(15)
# cause: targets in (0,1) are cast to long: all become 0, the net learns 0.
# line: return {"x": torch.tensor(self.rows[k]), "y": torch.tensor(self.marks[k], dtype=torch.long)}
# line: loss = ((out - batch["y"]) ** 2).mean()
# cure: float32 / drop dtype.
# harmful: `.float()` at the loss only (already truncated); cross entropy; rounding.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Ratings(Dataset):
    def __init__(self, rows, marks):
        self.rows, self.marks = rows, marks

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, k):
        return {"x": torch.tensor(self.rows[k]), "y": torch.tensor(self.marks[k], dtype=torch.long)}


def main():
    torch.manual_seed(31)
    raw = torch.randn(400, 5)
    mark = torch.sigmoid(raw[:, 0] * 2 - raw[:, 4])
    ds = Ratings(raw.tolist(), mark.tolist())
    net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(15):
        for batch in DataLoader(ds, batch_size=40, shuffle=True):
            out = net(batch["x"]).squeeze(1)
            loss = ((out - batch["y"]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(epoch, loss.item())
    with torch.no_grad():
        out = net(raw).squeeze(1)
    print("mse", ((out - mark) ** 2).mean().item(), "var", mark.var().item(), "mean out", out.mean().item())


main()
