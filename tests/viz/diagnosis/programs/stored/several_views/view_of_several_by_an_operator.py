# subject = "Refused calls"

low, high = (x * 1).split(1)
low *= 2
