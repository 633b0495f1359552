# subject = "Refused calls"

net = T.nn.Linear(2, 1)
net.weight.requires_grad_(False)
T.autograd.grad(net(x).sum(), net.weight)
