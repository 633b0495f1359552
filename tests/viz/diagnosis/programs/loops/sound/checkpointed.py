from importlib import import_module
checkpoint = import_module(f"{T.__name__}.utils.checkpoint").checkpoint
first, second = nn.Sequential(nn.Linear(4, 8), nn.ReLU()), nn.Linear(8, 1)
opt = optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    h = checkpoint(first, x, use_reentrant=False)
    loss = F.mse_loss(second(h), y)
    loss.backward()
    opt.step()
