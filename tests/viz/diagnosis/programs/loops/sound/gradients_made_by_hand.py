model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    grads = T.autograd.grad(F.mse_loss(model(x), y), list(model.parameters()))
    for p, g in zip(model.parameters(), grads):
        p.grad = g
    optimizer.step()
