cell, out = T.nn.Linear(5, 3), T.nn.Linear(3, 2)
y, h = T.zeros(1, 2), T.zeros(1, 3)
outs = []
for i in range(3):
    h = T.tanh(cell(T.cat([y.detach(), h], 1)))
    y = out(h)
    outs.append(y)
loss = T.cat(outs).pow(2).mean()
loss.backward()
