a, b = (nn.Linear(4, 4), nn.Linear(4, 1))
opt_a, opt_b = (optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1))

def train_step(i=[0]):
    opt_a.zero_grad()
    opt_b.zero_grad()
    F.mse_loss(b(a(x)), y).backward()
    i[0] += 1
    (opt_a if i[0] % 50 else opt_b).step()
