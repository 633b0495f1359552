# says_all = ["came in iteration 5", "SqrtBackward0"]

w = T.tensor([1.0], requires_grad=True)
opt = T.optim.SGD([w], lr=0.125)
with viz.diagnose() as report:
    for factor in (1.0, 1.0, 1.0, 1.0, 0.0, 1.0):
        opt.zero_grad()
        loss = T.sqrt((w * factor) ** 2).sum()
        loss.backward()
        opt.step()
