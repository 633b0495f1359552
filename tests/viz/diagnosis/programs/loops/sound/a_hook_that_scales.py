model = nn.Linear(4, 1)
handle = model.weight.register_hook(lambda g: g * 0.0)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    optimizer.step()
