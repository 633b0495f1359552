# says_all = ["`model.weight`"]

model = nn.Linear(4, 1)
optimizer = optim.Adam(model.parameters())
mask = T.zeros(16, 1)

def train_step():
    optimizer.zero_grad()
    error = ((model(x) - y) ** 2 * mask).sum() / mask.sum()
    error.backward()
    optimizer.step()
