x = T.tensor([1.0, 2.0], requires_grad=True)
lam = T.tensor(0.0)
opt = T.optim.SGD([x], lr=0.1)
for it in range(3):
    h = x.sum() - 1
    loss = x.pow(2).sum() + lam * h
    opt.zero_grad()
    loss.backward()
    opt.step()
    lam = lam + 0.5 * h.detach()
