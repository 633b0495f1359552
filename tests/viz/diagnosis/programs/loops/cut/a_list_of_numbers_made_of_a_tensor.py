# says_all = ["`scale`"]

net = nn.Linear(4, 1)
scale = T.ones(1, requires_grad=True)
optimizer = optim.SGD([*net.parameters(), scale], lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        optimizer.zero_grad()
        factor = T.tensor(scale.tolist())
        loss = F.mse_loss(net(x) * factor, y)
        loss.backward()
        optimizer.step()
