# subject = "Parameters and the optimizer"
# says_all = ["`self.layers[0]`", "ModuleList"]
# example = true

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 8), nn.Linear(8, 8)]
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        for layer in self.layers:
            x = T.relu(layer(x))
        return self.head(x)

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
