class Attn(nn.Module):

    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.register_buffer('mask', T.tril(T.ones(6, 6)))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = q @ k.transpose(-2, -1) / 8 ** 0.5
        att = att.masked_fill(self.mask == 0, float('-inf'))
        return self.out(F.softmax(att, dim=-1) @ v)

class Block(nn.Module):

    def __init__(self, d):
        super().__init__()
        self.ln1 = nn.LayerNorm(d)
        self.ln2 = nn.LayerNorm(d)
        self.att = Attn(d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        x = x + self.att(self.ln1(x))
        return x + self.mlp(self.ln2(x))

class GPT(nn.Module):

    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(10, 8)
        self.pos = nn.Embedding(6, 8)
        self.blocks = nn.Sequential(Block(8), Block(8))
        self.head = nn.Linear(8, 10, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, i):
        return self.head(self.blocks(self.tok(i) + self.pos(T.arange(6))))
gpt = GPT()
opt = optim.AdamW(gpt.parameters(), lr=0.001)
seq = T.randint(0, 10, (4, 6))

def train_step():
    logits = gpt(seq)
    loss = F.cross_entropy(logits.view(-1, 10), seq.roll(-1, 1).view(-1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
    opt.step()
