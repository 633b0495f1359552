# ask: explain error
# ask: diagnose for epoch in range(4)
# cause: nn.GRU returns (output, h_n); the tuple is passed on to Linear.
# line: x = self.gru(x)
# cure: `x, _ = self.gru(x)` (then x[:, -1]).
# harmful: torch.stack of the tuple; x[1] with wrong shape; `torch.tensor(x)`.
import torch
import torch.nn as nn


class SentimentGRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(100, 16)
        self.gru = nn.GRU(16, 32, batch_first=True)
        self.fc = nn.Linear(32, 2)

    def forward(self, x):
        x = self.emb(x)
        x = self.gru(x)
        return self.fc(x)[:, -1]


torch.manual_seed(8)
net = SentimentGRU()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters())
reviews, labels = torch.randint(0, 100, (24, 12)), torch.randint(0, 2, (24,))

for epoch in range(4):
    optimizer.zero_grad()
    loss = criterion(net(reviews), labels)
    loss.backward()
    optimizer.step()
