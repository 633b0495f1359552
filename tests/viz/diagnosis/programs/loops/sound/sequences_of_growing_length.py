cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
opt = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)

with viz.diagnose() as report:
    for length in range(2, 6):
        h = T.zeros(16, 8)
        for t in range(length):
            h = T.tanh(cell(h) + 0.1)
        loss = F.mse_loss(head(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
