m = T.nn.Linear(2, 1)
opt = T.optim.SGD(m.parameters(), lr=0.1)
opt.zero_grad()
for i in range(4):
    loss = m(T.randn(2, 2)).pow(2).mean() / 2
    loss.backward()
    if (i + 1) % 2 == 0:
        opt.step()
        opt.zero_grad()
loss = m(T.randn(2, 2)).pow(2).mean()
loss.backward()
