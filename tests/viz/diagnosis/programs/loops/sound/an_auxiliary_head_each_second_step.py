body, head, aux = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
opt = optim.SGD([*body.parameters(), *head.parameters(), *aux.parameters()], lr=0.1)

with viz.diagnose() as report:
    for i in range(6):
        h = T.tanh(body(x))
        loss = F.mse_loss(head(h), y)
        if i % 2:
            loss = loss + 0.1 * F.mse_loss(aux(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
