net = T.nn.Linear(2, 1)
for train in (False, True):
    with T.set_grad_enabled(train):
        loss = net(T.ones(1, 2)).sum()
loss.backward()
