# subject = "Kept graphs and cleared gradients"
# says_all = ["retain_graph"]

net = nn.Linear(4, 2)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    out = T.tanh(net(x))
    first = (out ** 2).mean()
    second = out.abs().mean()
    first.backward()
    second.backward()
    opt.step()
