body, one, two = T.nn.Linear(3, 3), T.nn.Linear(3, 1), T.nn.Linear(3, 1)
h = T.tanh(body(T.ones(2, 3)))
loss = one(h).mean() + 0.5 * two(h).mean()
loss.backward()
