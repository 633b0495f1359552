# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

enc = T.nn.Linear(2, 3)
memory = []
def remember(x):
    z = enc(x)
    memory.append(z.detach())  # guilty
    return z
for i in range(3):
    remember(T.randn(1, 2))
loss = T.cat(memory).pow(2).mean()
loss.backward()
