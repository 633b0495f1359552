# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["step", "optimizer"]
# cure_any = ["before"]

enc, a, c = T.nn.Linear(2, 2), T.nn.Linear(2, 1), T.nn.Linear(2, 1)
opt = T.optim.SGD([*enc.parameters(), *a.parameters(), *c.parameters()], lr=0.1)
z = T.tanh(enc(T.ones(1, 2)))
loss_a, loss_c = a(z).pow(2).sum(), c(T.tanh(enc(z))).pow(2).sum()
loss_a.backward(retain_graph=True)
opt.step()  # guilty
loss_c.backward()
