net = T.nn.Linear(2, 1)
for p in net.parameters():
    p.requires_grad = False
warm = net(T.ones(1, 2)).item()
for p in net.parameters():
    p.requires_grad = True
loss = net(T.ones(1, 2)).sum()
loss.backward()
