# says_any = ["no_grad()`, where nothing is recorded"]
# cure_any = ["move the line out of there"]
# never = ["requires_grad_()"]

net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh())

def keep(module, inputs, output):
    output.register_hook(print)

net[0].register_forward_hook(keep)
with T.no_grad():
    net(T.ones(4, 2))  # guilty
