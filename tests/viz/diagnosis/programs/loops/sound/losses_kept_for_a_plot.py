model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
history = []

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    history.append(loss.detach())
    return loss
