# subject = "Parameters and the optimizer"
# says_all = ["`backbone.0.weight`", "requires_grad"]
# example = true

backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 1)
for p in backbone.parameters():
    p.requires_grad = False
opt = optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(head(backbone(x)), y)
    loss.backward()
    opt.step()
