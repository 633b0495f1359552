embed, head = nn.Embedding(1000, 8), nn.Linear(8, 3)
opt = optim.SGD([*embed.parameters(), *head.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(head(embed(classes)), classes)
    loss.backward()
    opt.step()
