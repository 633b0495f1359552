# says_all = ["`model.0.weight`"]

layers = [nn.Linear(4, 16)]
for _ in range(25):
    layers += [nn.Sigmoid(), nn.Linear(16, 16)]
model = nn.Sequential(*layers, nn.Tanh(), nn.Linear(16, 3))
optimizer = optim.Adam(model.parameters())

with viz.diagnose() as report:
    for step in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), classes)
        loss.backward()
        optimizer.step()
