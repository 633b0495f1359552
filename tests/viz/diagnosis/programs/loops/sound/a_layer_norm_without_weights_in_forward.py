class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(4, 6), nn.Linear(6, 1)

    def forward(self, x):
        norm = nn.LayerNorm(6, elementwise_affine=False)
        h = T.relu(norm(self.one(x)))
        h = self.two(h)
        return h


net = Net()
opt = optim.Adam(net.parameters(), lr=0.01)

with viz.diagnose() as report:
    for i in range(3):
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
