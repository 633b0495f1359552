body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
optimizer = optim.SGD([*body.parameters(), *a.parameters(), *b.parameters()], lr=0.1)

def train_step():
    h = T.tanh(body(x))
    optimizer.zero_grad()
    F.mse_loss(a(h), y).backward(retain_graph=True)
    first = [p.grad.clone() for p in body.parameters()]
    for p in body.parameters():
        p.grad = None
    F.cross_entropy(b(h), classes).backward()
    for p, g in zip(body.parameters(), first):
        p.grad = p.grad + g if (p.grad * g).sum() > 0 else p.grad
    optimizer.step()
