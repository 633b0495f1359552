net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
norms = []
for i in range(2):
    loss = net(T.randn(2, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    norms.append(sum(p.grad.norm().item() ** 2 for p in net.parameters()) ** 0.5)
    opt.step()
