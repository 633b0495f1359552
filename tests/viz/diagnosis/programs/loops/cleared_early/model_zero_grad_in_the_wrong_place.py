# subject = "Kept graphs and cleared gradients"
# says_all = ["zero_grad"]

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.Adam(net.parameters())

def train_step():
    F.mse_loss(net(x), y).backward()
    net.zero_grad(set_to_none=False)
    opt.step()
