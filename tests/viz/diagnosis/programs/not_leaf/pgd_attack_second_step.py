# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["not a leaf", "is the result"]
# cure_any = ["detach()", "requires_grad_()", "no_grad"]

model = T.nn.Linear(4, 1)
adv = T.zeros(2, 4, requires_grad=True)
for i in range(3):
    loss = model(adv).sum()
    loss.backward()
    adv = adv + 0.01 * adv.grad.sign()  # guilty
