# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: the vocabulary indices go from 1 to 20, the Embedding has only 20 rows (0..19): index 20 is out of range.
# line: emb = nn.Embedding(20, 8)
# cure: num_embeddings=21 (vocab_size + 1), or indices minus 1.
# harmful: clamp(max=19) / modulo (merges two words); padding_idx=20.
import torch
import torch.nn as nn

torch.manual_seed(14)
words = [f"w{i}" for i in range(20)]
stoi = {w: i + 1 for i, w in enumerate(words)}        # 0 is kept for padding
sents = torch.tensor([[stoi[words[(i + j) % 20]] for j in range(5)] for i in range(40)])
y = torch.randint(0, 2, (40,))
emb = nn.Embedding(20, 8)
clf = nn.Linear(8, 2)
optimizer = torch.optim.Adam([*emb.parameters(), *clf.parameters()], lr=0.01)

for epoch in range(5):
    logits = clf(emb(sents).mean(dim=1))
    loss = nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
