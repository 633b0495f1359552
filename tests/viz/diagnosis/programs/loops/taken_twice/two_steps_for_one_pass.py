# says_all = ["`optimizer`"]

model = nn.Linear(4, 3)
optimizer = optim.AdamW(model.parameters(), lr=1e-2)

def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

with viz.diagnose() as report:
    for epoch in range(3):
        loss = F.cross_entropy(model(x), classes)
        update(loss)
        optimizer.step()
