enter, again = T.nn.Linear(3, 2), T.nn.Linear(2, 2)
for batch in range(2):
    h = T.zeros(1, 2)
    for t in range(3):
        h = T.tanh(enter(T.ones(1, 3)) + again(h))
    loss = h.pow(2).sum()
    loss.backward()
