# says_all = ["detach"]

Wx, Wh, out = (nn.Linear(1, 6), nn.Linear(6, 6), nn.Linear(6, 1))
opt = optim.SGD([*Wx.parameters(), *Wh.parameters(), *out.parameters()], lr=0.001)
h = T.zeros(1, 6)

def train_step():
    global h
    h = T.tanh(Wx(T.ones(1, 1)) + Wh(h))
    loss = out(h).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
