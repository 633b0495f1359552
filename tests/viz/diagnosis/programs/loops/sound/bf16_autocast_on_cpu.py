# library = "torch"

net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad(set_to_none=True)
    with T.autocast('cpu', dtype=T.bfloat16):
        loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()
