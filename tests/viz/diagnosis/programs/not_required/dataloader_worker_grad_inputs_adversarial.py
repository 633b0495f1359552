# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["require grad"]
# cure_any = ["requires_grad_()"]

model = T.nn.Linear(4, 2)
x = T.randn(3, 4)
labels = T.tensor([0, 1, 0])
adv = x.clone()
loss = -T.log_softmax(model(adv), 1)[T.arange(3), labels].mean()
loss.backward()
perturbed = adv + 0.1 * adv.grad.sign()  # guilty
