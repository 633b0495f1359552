body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opt = optim.SGD([*body.parameters(), *a.parameters(), *b.parameters()], lr=0.1)

def train_step():
    h = T.relu(body(x))
    one, two = F.mse_loss(a(h), y), F.cross_entropy(b(h), classes)
    opt.zero_grad()
    one.backward(retain_graph=True)
    two.backward()
    opt.step()
