# library = "torch"

net = nn.Linear(4, 1, device="meta")
opt = optim.SGD(net.parameters(), lr=0.1)
x, y = x.to("meta"), y.to("meta")

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
