model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    w, b = model.weight, model.bias
    inner = F.mse_loss(x @ w.T + b, y)
    gw, gb = T.autograd.grad(inner, [w, b], create_graph=True)
    outer = F.mse_loss(x @ (w - 0.1 * gw).T + b - 0.1 * gb, y)
    optimizer.zero_grad()
    outer.backward()
    optimizer.step()
