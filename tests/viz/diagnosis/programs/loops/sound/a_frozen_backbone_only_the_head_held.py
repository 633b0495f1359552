backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 1)
backbone.requires_grad_(False)
backbone.eval()
opt = optim.SGD(head.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(head(backbone(x)), y)
    loss.backward()
    opt.step()
