# subject = "A history that is cut"
# says_all = ["no_grad"]
# example = true

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    with T.no_grad():
        out = net(x)
        loss = F.mse_loss(out, y)
    loss.backward()
    opt.step()
