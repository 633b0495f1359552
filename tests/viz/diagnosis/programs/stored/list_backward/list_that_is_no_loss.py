# subject = "Refused calls"

losses = [x.sum(), w.sum()]
losses.backward()
