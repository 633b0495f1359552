# says_all = ["step"]

model = nn.Linear(4, 1)
optimizer = optim.Adam(model.parameters())

def train_step():
    loss = F.mse_loss(model(x), y)
    loss.backward()
    for p in model.parameters():
        p.grad = None
    optimizer.step()
