model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    moved = []
    with T.no_grad():
        for p in model.parameters():
            e = 0.05 * p.grad / (p.grad.norm() + 1e-12)
            p.add_(e)
            moved.append(e)
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    with T.no_grad():
        for p, e in zip(model.parameters(), moved):
            p.sub_(e)
    optimizer.step()
