base = nn.Linear(4, 8)
base.requires_grad_(False)
down, up = nn.Linear(4, 2, bias=False), nn.Linear(2, 8, bias=False)
nn.init.zeros_(up.weight)
opt = optim.SGD([*down.parameters(), *up.parameters()], lr=0.5)

def train_step():
    opt.zero_grad()
    out = base(x) + up(down(x))
    loss = F.mse_loss(out.sum(1, keepdim=True), y)
    loss.backward()
    opt.step()
