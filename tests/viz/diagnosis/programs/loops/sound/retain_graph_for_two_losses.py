trunk = nn.Linear(4, 8)
h1, h2 = (nn.Linear(8, 1), nn.Linear(8, 3))
opt = optim.SGD([*trunk.parameters(), *h1.parameters(), *h2.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    z = T.tanh(trunk(x))
    l1, l2 = (F.mse_loss(h1(z), y), F.cross_entropy(h2(z), classes))
    l1.backward(retain_graph=True)
    l2.backward()
    opt.step()
