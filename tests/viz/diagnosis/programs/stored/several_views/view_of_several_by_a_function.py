# subject = "Refused calls"

low, high = (x * 1).split(1)
T.relu_(low)
