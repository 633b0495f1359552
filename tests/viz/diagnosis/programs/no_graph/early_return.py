# says_any = [".data"]
# cure_any = ["leave .data out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def regularize(params, strength):
    if strength == 0:
        return T.zeros(())
    total = T.zeros(())
    for p in params:
        total = total + (p.data ** 2).sum()  # guilty
    return strength * total
w = T.ones(3, requires_grad=True)
loss = regularize([w], 0.1)
loss.backward()
