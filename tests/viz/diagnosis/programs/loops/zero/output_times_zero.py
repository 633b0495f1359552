# says_all = ["`model.weight`"]

model = nn.Linear(4, 1)
weight_of_task = T.tensor(0.0)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    ((weight_of_task * model(x) - y) ** 2).mean().backward()
    optimizer.step()
