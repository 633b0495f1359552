net = T.nn.Linear(2, 1)
for epoch in range(2):
    losses = []
    for i in range(3):
        losses.append(net(T.randn(2, 2)).pow(2).mean())
    loss = T.stack(losses).mean()
    net.zero_grad()
    loss.backward()
