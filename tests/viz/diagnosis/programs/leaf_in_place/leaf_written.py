# subject = "Something was changed in place"
# says_any = ["leaf"]
# cure_any = ["no_grad", "clone"]

w = T.ones(3, requires_grad=True)
w[0] = 5.0  # guilty
(w * 2).sum().backward()
