# ask: explain error
# ask: diagnose for step in range(5)
# cause: the attn_mask is (batch, T, T), but nn.MultiheadAttention wants (T, T) or (batch*heads, T, T).
# line: mask = torch.triu(torch.ones(T, T), 1).bool().expand(x.size(0), T, T)
# cure: give the 2-D (T, T) mask (or repeat_interleave by num_heads).
# harmful: dropping the mask (leak); passing it as key_padding_mask; num_heads=1 only to get through.
import torch
import torch.nn as nn


class CausalBlock(nn.Module):
    def __init__(self, d=16, heads=4):
        super().__init__()
        self.attn = nn.MultiheadAttention(d, heads, batch_first=True)
        self.norm = nn.LayerNorm(d)
        self.out = nn.Linear(d, d)

    def forward(self, x):
        T = x.size(1)
        mask = torch.triu(torch.ones(T, T), 1).bool().expand(x.size(0), T, T)
        a, _ = self.attn(x, x, x, attn_mask=mask)
        return self.out(self.norm(x + a))


torch.manual_seed(21)
block = CausalBlock()
optimizer = torch.optim.AdamW(block.parameters(), lr=1e-3)
walk = torch.randn(8, 11, 16).cumsum(1)

for step in range(5):
    loss = nn.functional.mse_loss(block(walk[:, :-1]), walk[:, 1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
