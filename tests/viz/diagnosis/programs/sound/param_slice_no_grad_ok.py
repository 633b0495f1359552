lin = T.nn.Linear(3, 2)
with T.no_grad():
    lin.weight[0] = T.zeros(3)
loss = lin(T.ones(1, 3)).sum()
loss.backward()
