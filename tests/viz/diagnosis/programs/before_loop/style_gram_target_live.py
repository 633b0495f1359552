# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop"]
# cure_any = ["style.detach()"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

feat = T.nn.Linear(3, 3)
def gram(x):
    f = feat(x)
    return f.T @ f
style = gram(T.randn(4, 3))  # guilty
image = T.randn(4, 3, requires_grad=True)
opt = T.optim.Adam([image], lr=0.1)
for step in range(2):
    loss = (gram(image) - style).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
