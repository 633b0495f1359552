cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
optimizer = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)

with viz.diagnose() as report:
    h = T.zeros(16, 8)
    for chunk in range(4):
        h = h.detach()
        loss = 0.0
        for t in range(3):
            h = T.tanh(cell(h) + 0.1)
            loss = loss + F.mse_loss(head(h), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
