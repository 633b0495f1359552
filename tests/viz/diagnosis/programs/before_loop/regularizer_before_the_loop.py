# subject = "An earlier pass freed the graph"
# says_any = ["penalty"]
# cure_any = ["inside", "into the"]

model = T.nn.Linear(3, 1)
penalty = (model.weight ** 2).sum()  # guilty
x, y = T.ones(4, 3), T.ones(4, 1)
optimizer = T.optim.SGD(model.parameters(), lr=0.01)

def train_step():
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean() + 0.1 * penalty
    loss.backward()
    optimizer.step()
    return loss.item()

history = []
for epoch in range(4):
    history.append(train_step())
