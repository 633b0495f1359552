model = T.nn.Linear(4, 1)
adv = T.zeros(2, 4, requires_grad=True)
for i in range(3):
    loss = model(adv).sum()
    g, = T.autograd.grad(loss, adv)
    adv = (adv + 0.01 * g.sign()).detach().requires_grad_()
loss = model(adv).sum()
loss.backward()
