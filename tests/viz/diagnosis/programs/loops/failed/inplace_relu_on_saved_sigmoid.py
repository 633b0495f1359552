# says_all = []

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    p = T.sigmoid(net(x))
    p *= 0.9
    loss = F.mse_loss(p, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
