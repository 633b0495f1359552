# subject = "Calls that autograd refuses"
# says_any = ["takes a list of parameters"]
# cure_any = ["`net.parameters()`"]
# [repair]
# old = "net.state_dict()"
# new = "net.parameters()"
# quoted = true

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.state_dict(), lr=0.1)  # guilty
