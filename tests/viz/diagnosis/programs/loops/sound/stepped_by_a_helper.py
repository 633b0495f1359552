a, b = (nn.Linear(4, 8), nn.Linear(8, 1))
oa, ob = (optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1))

def finish(o):
    o.step()
    o.zero_grad()

def train_step():
    F.mse_loss(b(F.relu(a(x))), y).backward()
    for o in (oa, ob):
        finish(o)
