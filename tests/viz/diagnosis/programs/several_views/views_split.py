# says_any = ["several views"]
# cure_any = ["a = a + b"]
# [repair]
# old = "a += b"
# new = "a = a + b"
# quoted = true

x = T.ones(4, requires_grad=True)
a, b = (x * 1).split(2)
a += b  # guilty
a.sum().backward()
