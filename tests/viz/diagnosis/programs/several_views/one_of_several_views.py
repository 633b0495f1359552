# subject = "Something was changed in place"
# says_any = ["several views"]
# cure_any = ["first = first.mul(2)", "out of place", "clone"]
# [repair]
# old = "first.mul_(2)"
# new = "first = first.mul(2)"
# quoted = true

x = T.ones(2, 3, requires_grad=True)
first, second = (x * 2).unbind(0)
first.mul_(2)  # guilty
(first + second).sum().backward()
