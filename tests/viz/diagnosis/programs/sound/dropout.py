net = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Dropout(0.5), T.nn.Linear(3, 1))
loss = net(T.ones(2, 3)).mean()
loss.backward()
