w = T.ones(2, requires_grad=True)
opt = T.optim.SGD([w], lr=0.1)
def closure():
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    return loss
for i in range(2):
    loss = opt.step(closure)
