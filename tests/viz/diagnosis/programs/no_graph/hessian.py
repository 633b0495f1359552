# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def f(x):
    return (x ** 3).sum()
x = T.ones(3, requires_grad=True)
g = T.autograd.grad(f(x), x, retain_graph=True)[0]  # guilty
rows = []
for i in range(3):
    rows.append(T.autograd.grad(g[i], x)[0])
