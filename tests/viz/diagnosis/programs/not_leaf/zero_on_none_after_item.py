# subject = "Calls that autograd refuses"
# says_any = ["v is not a leaf"]
# cure_any = ["v.retain_grad()"]

w = T.ones(3, requires_grad=True)
v = w * 1
(v * v).sum().backward()
w.grad.zero_()
v.grad.zero_()  # guilty
