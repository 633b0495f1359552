# subject = "Refused calls"

optimizer = T.optim.SGD([], lr=0.1)
