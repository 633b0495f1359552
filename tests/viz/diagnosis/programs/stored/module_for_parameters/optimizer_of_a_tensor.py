# subject = "Refused calls"

optimizer = T.optim.SGD(x, lr=0.1)
