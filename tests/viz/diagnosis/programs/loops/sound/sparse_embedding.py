# library = "torch"

embed, head = nn.Embedding(100, 8, sparse=True), nn.Linear(8, 3)
rows, rest = optim.SparseAdam(embed.parameters()), optim.Adam(head.parameters())

def train_step():
    rows.zero_grad()
    rest.zero_grad()
    F.cross_entropy(head(embed(classes)), classes).backward()
    rows.step()
    rest.step()
