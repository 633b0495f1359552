# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["requires_grad_() last"]

image = T.rand(1, 3, requires_grad=True)
image = image.clamp(0, 1)  # guilty
opt = T.optim.Adam([image], lr=0.1)
loss = (image - 1).pow(2).mean()
loss.backward()
opt.step()
