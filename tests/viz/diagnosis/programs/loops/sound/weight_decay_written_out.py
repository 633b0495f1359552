model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss = loss + 1e-4 * sum(p.pow(2).sum() for p in model.parameters())
    loss.backward()
    optimizer.step()
