# subject = "Refused calls"

y = x * 2
y.requires_grad = False
