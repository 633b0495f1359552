# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop"]
# cure_any = ["detach()", "into the loop"]

net = T.nn.Linear(2, 1)
old = {n: p for n, p in net.named_parameters()}
loss1 = net(T.ones(3, 2)).pow(2).mean()
grads = T.autograd.grad(loss1, list(net.parameters()), create_graph=True)
fisher = {n: g ** 2 for (n, p), g in zip(net.named_parameters(), grads)}  # guilty
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    penalty = sum((fisher[n] * p ** 2).sum() for n, p in net.named_parameters())
    loss = net(T.zeros(1, 2)).mean() + penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
