# says_all = ["tensor"]

a, b = (nn.Linear(4, 3), nn.Linear(4, 3))
opt = optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)

def train_step():
    pa = a(x)
    pb = T.tensor(b(x).tolist())
    loss = F.cross_entropy(pa + pb, classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
