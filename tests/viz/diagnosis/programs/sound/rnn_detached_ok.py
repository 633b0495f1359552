cell = T.nn.Linear(5, 3)
opt = T.optim.SGD(cell.parameters(), lr=0.1)
h = T.zeros(1, 3)
for i in range(4):
    h = h.detach()
    for t in range(3):
        h = T.tanh(cell(T.cat([T.randn(1, 2), h], 1)))
    loss = h.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
