# subject = "Refused calls"

optimizer = T.optim.SGD([x * 2], lr=0.1)
