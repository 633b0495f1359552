import copy
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
best = None
best_loss = 1000000000.0
with viz.diagnose() as report:
    for epoch in range(4):
        loss = F.cross_entropy(net(x), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss.item() < best_loss:
            best_loss, best = (loss.item(), copy.deepcopy(net))
