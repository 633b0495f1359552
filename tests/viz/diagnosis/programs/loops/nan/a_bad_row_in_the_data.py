# says_all = ["`model.weight`"]

model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
rows = x.clone()
rows[3, 2] = float("nan")

with viz.diagnose() as report:
    for i in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(model(rows), y)
        loss.backward()
        optimizer.step()
