# library = "torch"

layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
emb = nn.Embedding(10, 8, padding_idx=0)
head = nn.Linear(8, 3)
params = list(enc.parameters()) + list(emb.parameters()) + list(head.parameters())
opt = optim.Adam(params, lr=0.001)
tok = T.randint(1, 10, (16, 5))
tok[:, 3:] = 0

def train_step():
    out = enc(emb(tok), src_key_padding_mask=tok == 0)
    loss = F.cross_entropy(head(out.mean(1)), classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
