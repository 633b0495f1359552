model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    loss = F.relu(-5 - model(x)).mean()
    loss.backward()
    optimizer.step()
