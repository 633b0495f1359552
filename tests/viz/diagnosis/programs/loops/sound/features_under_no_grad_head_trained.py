backbone, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.SGD(head.parameters(), lr=0.1)

def train_step():
    with T.no_grad():
        h = backbone(x)
    opt.zero_grad()
    F.mse_loss(head(h), y).backward()
    opt.step()
