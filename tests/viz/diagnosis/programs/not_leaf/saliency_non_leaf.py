# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["not a leaf"]
# cure_any = ["retain_grad()"]

net = T.nn.Linear(4, 1)
image = T.rand(1, 4).requires_grad_()
image = image * 2 - 1  # guilty
score = net(image).sum()
score.backward()
saliency = image.grad.abs().max()  # guilty
