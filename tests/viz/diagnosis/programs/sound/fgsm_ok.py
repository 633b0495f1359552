model = T.nn.Linear(4, 1)
x = T.randn(2, 4)
adv = x.clone().requires_grad_()
loss = model(adv).sum()
loss.backward()
with T.no_grad():
    perturbed = adv + 0.1 * adv.grad.sign()
