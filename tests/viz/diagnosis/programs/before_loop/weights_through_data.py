# says_any = ["before the loop"]
# cure_any = ["move that line into the loop"]
# never = ["retain_graph"]

w = T.ones(3, requires_grad=True)
x = T.randn(5, 3)
loss = (x @ w).pow(2).mean()  # guilty
for i in range(3):
    w.grad = None
    loss.backward()
    w.data -= 0.1 * w.grad
