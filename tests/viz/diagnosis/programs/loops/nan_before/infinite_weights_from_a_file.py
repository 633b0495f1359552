# says_all = ["`model.0.bias`"]

model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
loaded = {name: t.clone() for name, t in model.state_dict().items()}
loaded["0.bias"][1] = float("inf")
model.load_state_dict(loaded)
optimizer = optim.SGD(model.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(2):
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
