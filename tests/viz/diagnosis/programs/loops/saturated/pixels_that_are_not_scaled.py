# subject = "inputs from 0 to 255 before a sigmoid"
# says_all = ["of its results", "normalize"]

pixels = 255 * T.rand(16, 32)
net = nn.Sequential(nn.Linear(32, 8), nn.Sigmoid(), nn.Linear(8, 1))
nn.init.normal_(net[0].weight, std=1.0)
opt = optim.SGD(net.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(pixels), y).backward()
    opt.step()
