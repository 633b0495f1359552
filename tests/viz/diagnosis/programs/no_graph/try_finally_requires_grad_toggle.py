# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

def frozen(module):
    for p in module.parameters():
        p.requires_grad_(False)  # guilty
    return module
D = frozen(T.nn.Linear(2, 1))
x = T.randn(3, 2)
for i in range(2):
    loss = D(x).mean()
    loss.backward()
