# subject = "Something was changed in place"
# says_any = ["several views"]
# cure_any = ["row = row + 1", "out of place", "clone"]

x = T.ones(2, 3, requires_grad=True)
h = x * 2
for row in h:
    row += 1  # guilty
h.sum().backward()
