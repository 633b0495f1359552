# says_any = ["theta"]
# cure_any = ["theta -= 0.1 * theta.grad", "retain_grad", "no_grad"]

X = T.ones(4, 2)
Y = T.ones(4)
theta = T.zeros(2, requires_grad=True)
for epoch in range(3):
    pred = X @ theta
    loss = ((pred - Y) ** 2).mean()
    loss.backward()
    theta = theta - 0.1 * theta.grad  # guilty
    theta.grad.zero_()
