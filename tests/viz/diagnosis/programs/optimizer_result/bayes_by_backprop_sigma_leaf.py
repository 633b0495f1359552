# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["requires_grad_() last", "detach"]

rho = T.zeros(3)
rho.requires_grad = True
sigma = T.log(1 + T.exp(rho))  # guilty
opt = T.optim.SGD([sigma], lr=0.1)  # guilty
