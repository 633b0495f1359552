net = T.nn.Linear(4, 2)
opt = T.optim.Adam(net.parameters())
logps, rewards = [], []
for t in range(4):
    logp = T.log_softmax(net(T.randn(4)), -1)
    a = int(logp.exp().multinomial(1))
    logps.append(logp[a])
    rewards.append(float(a))
g = T.tensor([sum(rewards[i:]) for i in range(4)])
loss = -(T.stack(logps) * g).sum()
opt.zero_grad()
loss.backward()
opt.step()
