# says_all = ["zero_grad"]

model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.01)

with viz.diagnose() as report:
    for i in range(8):
        loss = F.mse_loss(model(x), y) / 2
        loss.backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
