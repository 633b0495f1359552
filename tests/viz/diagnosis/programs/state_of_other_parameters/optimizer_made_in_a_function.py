# says_any = ["is the state of an optimizer"]
# cure_any = ["leave that line out"]
# never = ["``"]

def build(part):
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1))
    return net, T.optim.Adam(net[1].parameters() if part else net.parameters(), lr=0.1)

net, opt = build(False)
saved = opt.state_dict()
net, opt = build(True)
opt.load_state_dict(saved)  # guilty
