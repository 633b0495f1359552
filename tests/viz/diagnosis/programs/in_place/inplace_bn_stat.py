# says_any = ["in place"]
# cure_any = ["clone"]

x = T.ones(4, 3, requires_grad=True)
h = x * 2
mean = h.mean(0)
z = (h - mean).pow(2)
h -= 1
s = T.sqrt(z + 1)
out = (s * h).sum()
s.mul_(2)  # guilty
out.backward()
