m = T.nn.Linear(2, 1)
total = 0.0
for i in range(3):
    loss = m(T.ones(2, 2)).pow(2).mean()
    m.zero_grad()
    loss.backward()
    total += loss.item()
