w = T.tensor(2.0, requires_grad=True)
table = T.zeros(3)
for i in range(3):
    table[i] = w * i
loss = table.sum()
loss.backward()
