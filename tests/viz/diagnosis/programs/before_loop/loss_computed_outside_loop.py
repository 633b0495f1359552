# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop", "earlier"]
# cure_any = ["into the loop", "anew"]

w = T.zeros(2, requires_grad=True)
opt = T.optim.SGD([w], lr=0.1)
loss = ((w - 1) ** 2).sum()  # guilty
for i in range(5):
    opt.zero_grad()
    loss.backward()
    opt.step()
