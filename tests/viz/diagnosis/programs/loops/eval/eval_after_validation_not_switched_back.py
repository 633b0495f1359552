# says_all = ["train()"]

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3))
opt = optim.Adam(net.parameters())
net.train()

def evaluate():
    net.eval()
    with T.no_grad():
        return (net(x).argmax(1) == classes).float().mean().item()
with viz.diagnose() as report:
    for epoch in range(3):
        for i in range(0, 16, 8):
            opt.zero_grad()
            F.cross_entropy(net(x[i:i + 8]), classes[i:i + 8]).backward()
            opt.step()
        evaluate()
