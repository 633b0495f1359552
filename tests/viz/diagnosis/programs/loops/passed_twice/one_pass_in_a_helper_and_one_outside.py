# says_all = ["same loss"]

model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def penalize(value):
    value.backward(retain_graph=True)
    return value

def train_step():
    optimizer.zero_grad()
    penalize(F.mse_loss(model(x), y)).backward()
    optimizer.step()
