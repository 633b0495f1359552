# subject = "Sizes of gradients"
# says_all = ["`net.0.weight`"]
# example = true

layers = []
for i in range(30):
    layers += [nn.Linear(8, 8), nn.Sigmoid()]
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), *layers, nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
