# subject = "Refused calls"

y = (x * 2).numpy()
