class Scaler:

    def step(self, o):
        o.step()
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
scaler = Scaler()

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    scaler.step(opt)
