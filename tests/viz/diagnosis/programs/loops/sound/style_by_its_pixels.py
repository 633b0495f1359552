net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
for p in net.parameters():
    p.requires_grad_(False)
image = T.randn(1, 1, 6, 6, requires_grad=True)
wanted = net(T.randn(1, 1, 6, 6))
optimizer = optim.Adam([image], lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(net(image), wanted).backward()
    optimizer.step()
