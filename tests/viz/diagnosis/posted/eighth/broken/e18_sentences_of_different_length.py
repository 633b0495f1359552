# ask: explain error
# ask: diagnose for ids, lab in DataLoader(Sentences(40), batch_size=8, shuffle=True)
# cause: default collate cannot stack sequences of different length.
# line: for ids, lab in DataLoader(Sentences(40), batch_size=8, shuffle=True):
# line: return self.items[k]
# line: self.items.append((torch.randint(1, 30, (size,), generator=g), k % 2))
# cure: collate_fn with pad_sequence, batch_size=1, padding in the dataset.
# harmful: truncating everything / dropping labels; num_workers.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(17)
        self.items = []
        for k in range(n):
            size = int(torch.randint(3, 9, (1,), generator=g))
            self.items.append((torch.randint(1, 30, (size,), generator=g), k % 2))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]


def main():
    torch.manual_seed(17)
    emb, head = nn.Embedding(30, 8), nn.Linear(8, 2)
    opt = torch.optim.Adam([*emb.parameters(), *head.parameters()], lr=1e-2)
    for ids, lab in DataLoader(Sentences(40), batch_size=8, shuffle=True):
        loss = nn.functional.cross_entropy(head(emb(ids).mean(1)), lab)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
