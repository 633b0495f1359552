# subject = "Refused calls"

T.autograd.backward([x * 2])
