# subject = "Calls that autograd refuses"
# says_any = ["in quotes"]
# cure_any = ["`lr=0.1`"]
# [repair]
# old = 'lr="0.1"'
# new = "lr=0.1"
# quoted = true

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr="0.1")  # guilty
