# subject = "Calls that autograd refuses"
# says_any = ["shape"]
# cure_any = ["shape [3]", "[3]"]

w = T.ones(3, requires_grad=True)
w.grad = T.ones(2)  # guilty
