# says_all = []

net = nn.Linear(4, 1)
opt = optim.Adam(net.parameters())

def train_step():
    out = net(x[:1])
    loss = (out / out.std()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
