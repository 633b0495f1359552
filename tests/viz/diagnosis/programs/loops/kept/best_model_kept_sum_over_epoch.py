# says_all = ["epoch_loss"]

net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)

def run_epoch():
    epoch_loss = 0
    for i in range(0, 16, 4):
        loss = F.cross_entropy(net(x[i:i + 4]), classes[i:i + 4])
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch_loss += loss
    return epoch_loss / 4
with viz.diagnose() as report:
    for epoch in range(2):
        mean = run_epoch().item()
