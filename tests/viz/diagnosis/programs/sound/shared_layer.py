layer = T.nn.Linear(3, 3)
x = T.ones(2, 3)
loss = layer(layer(x)).mean()
loss.backward()
