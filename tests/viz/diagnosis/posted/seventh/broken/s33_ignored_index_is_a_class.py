# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: padding is written as 0 in the targets and `ignore_index=0`, but 0 is a real class (tag "O"): the loss ignores all class-0 tokens, so the tagger never predicts 0.
# line: tags_loss = torch.where(tags == -100, 0, tags) together with criterion = nn.CrossEntropyLoss(ignore_index=0)
# cure: keep -100 for padding and the default ignore_index=-100 (or a tag of its own for padding).
# harmful: dropping ignore_index while padding stays 0 (pads then count as "O"; half a cure); class weight 0; dropping class 0; larger model.
import torch
import torch.nn as nn

torch.manual_seed(32)


class Tagger(nn.Module):
    def __init__(self, vocab=30, tags=3):
        super().__init__()
        self.emb = nn.Embedding(vocab, 16)
        self.gru = nn.GRU(16, 16, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(32, tags)

    def forward(self, x):
        h, _ = self.gru(self.emb(x))
        return self.fc(h)


tokens = torch.randint(1, 30, (60, 9))
tags = torch.where(tokens < 20, 0, torch.where(tokens < 25, 1, 2))   # 0 = "O"
lengths = torch.randint(4, 10, (60,))
pad = torch.arange(9).unsqueeze(0) >= lengths.unsqueeze(1)
tokens[pad] = 0
tags[pad] = -100
tags_loss = torch.where(tags == -100, 0, tags)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss(ignore_index=0)

for epoch in range(60):
    out = model(tokens)
    loss = criterion(out.view(-1, 3), tags_loss.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("accuracy", (out.argmax(-1) == tags)[~pad].float().mean().item())
