# says_all = ["`model.weight`"]

model = nn.Linear(4, 1)
with T.no_grad():
    model.weight[0, 0] = float("nan")
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    optimizer.step()
