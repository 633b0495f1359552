# says_all = ["`running`"]

model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
running = 0.0

def train_step():
    global running
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    running = 0.9 * running + 0.1 * loss
