# subject = "Refused calls"

x.grad = T.ones(3)
