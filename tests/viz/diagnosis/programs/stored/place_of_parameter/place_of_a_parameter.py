# subject = "Refused calls"

net = T.nn.Linear(2, 2)
net.weight = x * 2
