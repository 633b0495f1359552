# says_all = ["`optimizer`", "backward"]

model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    optimizer.step()
    return loss.item()
