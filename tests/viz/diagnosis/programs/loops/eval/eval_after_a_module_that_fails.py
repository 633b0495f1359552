# subject = "Modes"
# says_all = ["`net`", "Dropout"]

class Strict(nn.Module):
    def forward(self, x):
        raise ValueError("refused")

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 1))
strict = Strict()
opt = optim.SGD(net.parameters(), lr=0.1)
net.eval()

def train_step():
    try:
        strict(x)
    except ValueError:
        pass
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
