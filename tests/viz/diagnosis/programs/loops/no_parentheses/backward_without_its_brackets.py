# says_all = ["Write `loss.backward()`"]

model = nn.Linear(4, 1)
optimizer = optim.Adam(model.parameters())

with viz.diagnose() as report:
    for i in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward
        optimizer.step()
