# says_all = ["`coder.weight`"]

coder, table, out = nn.Linear(4, 6), nn.Embedding(6, 8), nn.Linear(8, 1)
params = [*coder.parameters(), *table.parameters(), *out.parameters()]
optimizer = optim.SGD(params, lr=0.1)

def train_step():
    optimizer.zero_grad()
    logits = coder(x)
    code = logits.argmax(dim=1)
    loss = F.mse_loss(out(table(code)), y)
    loss.backward()
    optimizer.step()
