online, target, pred = T.nn.Linear(3, 2), T.nn.Linear(3, 2), T.nn.Linear(2, 2)
for p in target.parameters():
    p.requires_grad = False
opt = T.optim.SGD([*online.parameters(), *pred.parameters()], lr=0.1)
for i in range(2):
    a, b = T.randn(4, 3), T.randn(4, 3)
    loss = (pred(online(a)) - target(b)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
