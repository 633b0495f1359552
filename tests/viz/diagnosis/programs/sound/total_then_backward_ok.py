net = T.nn.Linear(2, 1)
total = T.zeros(())
for i in range(3):
    total = total + net(T.randn(2, 2)).pow(2).mean()
loss = total
loss.backward()
