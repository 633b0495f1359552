# subject = "Calls that autograd refuses"
# says_any = ["the method"]
# cure_any = ["`net.parameters()`"]
# [repair]
# old = "net.parameters,"
# new = "net.parameters(),"

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters, lr=0.1)  # guilty
