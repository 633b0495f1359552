net = T.nn.Linear(2, 1)
loss = net(T.ones(1, 2)).sum()
grads = T.autograd.grad(loss, list(net.parameters()))
with T.no_grad():
    for p, g in zip(net.parameters(), grads):
        p -= 0.1 * g
