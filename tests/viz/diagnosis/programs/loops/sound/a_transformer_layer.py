# library = "torch"

layer, head = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), nn.Linear(8, 3)
opt = optim.AdamW([*layer.parameters(), *head.parameters()], lr=1e-3)
tokens = T.randn(16, 5, 8)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(head(layer(tokens).mean(1)), classes)
    loss.backward()
    opt.step()
