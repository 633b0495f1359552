# says_all = ["`metrics`"]

model = nn.Linear(4, 3)
optimizer = optim.SGD(model.parameters(), lr=0.1)
metrics = {"loss": []}

with viz.diagnose() as report:
    for epoch in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), classes)
        loss.backward()
        optimizer.step()
        metrics["loss"].append(loss)
