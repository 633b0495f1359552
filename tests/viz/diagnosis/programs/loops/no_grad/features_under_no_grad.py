# subject = "A history that is cut"
# says_all = ["`features.0.weight`", "no_grad"]
# example = true

features = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 1)
opt = optim.SGD([*features.parameters(), *head.parameters()], lr=0.1)

def train_step():
    with T.no_grad():
        h = features(x)
    loss = F.mse_loss(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
