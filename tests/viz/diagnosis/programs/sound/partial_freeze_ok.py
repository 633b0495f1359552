net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
net[0].weight.requires_grad = False
loss = net(T.ones(2, 2)).sum()
loss.backward()
