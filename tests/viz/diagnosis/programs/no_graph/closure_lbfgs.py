# says_any = [".data"]
# cure_any = ["leave .data out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(2, requires_grad=True)
opt = T.optim.SGD([w], lr=0.1)
def closure():
    opt.zero_grad()
    loss = (w.data ** 2).sum()  # guilty
    loss.backward()
    return loss
opt.step(closure)
