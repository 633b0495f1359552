body, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        for p in body.parameters():
            p.requires_grad_(epoch > 0)
        optimizer.zero_grad()
        loss = F.mse_loss(head(F.relu(body(x))), y)
        loss.backward()
        optimizer.step()
