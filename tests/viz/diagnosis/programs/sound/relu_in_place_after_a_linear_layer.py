net = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.ReLU(inplace=True), T.nn.Linear(3, 1))
loss = net(T.ones(2, 3)).sum()
loss.backward()
