# says_all = ["ob"]

a, b = (nn.Linear(4, 8), nn.Linear(8, 1))
oa, ob = (optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1))

def train_step():
    oa.zero_grad()
    ob.zero_grad()
    F.mse_loss(b(F.relu(a(x))), y).backward()
    oa.step()
