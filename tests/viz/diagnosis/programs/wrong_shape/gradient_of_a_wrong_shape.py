# subject = "Invalid calls of backward() and autograd.grad()"
# says_any = ["shape [3]"]
# cure_any = ["ones_like(y)", "shape [2, 3]"]
# [repair]
# old = "T.ones(3))"
# new = "T.ones_like(y))"

x = T.ones(2, 3, requires_grad=True)
y = x * 2
y.backward(T.ones(3))  # guilty
