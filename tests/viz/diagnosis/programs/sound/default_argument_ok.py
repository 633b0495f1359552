net = T.nn.Linear(2, 1)
def step(x, log=[]):
    out = net(x).pow(2).mean()
    log.append(out.item())
    return out
for i in range(2):
    loss = step(T.ones(1, 2))
    net.zero_grad()
    loss.backward()
