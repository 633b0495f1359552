# subject = "The history ended before the loss"
# says_any = ["new tensor", "another tensor"]
# cure_any = ["w -= lr * w.grad", "in place"]
# never = ["loss.requires_grad_()", "move this line out"]
# [repair]
# old = "w = w - lr * w.grad"
# new = "w -= lr * w.grad"
# quoted = true

w = T.ones(2, requires_grad=True)
x = T.tensor([1.0, 2.0])
lr = 0.1
for step in range(3):
    loss = ((w * x).sum() - 1) ** 2
    loss.backward()
    with T.no_grad():
        w = w - lr * w.grad  # guilty
