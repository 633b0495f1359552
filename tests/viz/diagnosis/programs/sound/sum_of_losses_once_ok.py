m = T.nn.Linear(2, 1)
total = 0
for i in range(3):
    total += m(T.randn(2, 2)).pow(2).mean()
loss = total / 3
loss.backward()
