# says_all = ["zero_grad"]

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = optim.Adam(model.parameters(), lr=0.001)
criterion = nn.CrossEntropyLoss()
with viz.diagnose() as report:
    for epoch in range(2):
        for i in range(0, 16, 4):
            outputs = model(x[i:i + 4])
            loss = criterion(outputs, classes[i:i + 4])
            loss.backward()
            optimizer.step()
