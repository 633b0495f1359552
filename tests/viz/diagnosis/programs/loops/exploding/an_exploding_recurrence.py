# subject = "Sizes of gradients"
# says_all = ["`cell.weight`"]
# example = true

cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
with T.no_grad():
    cell.weight.mul_(6.0)
opt = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)
start = T.randn(16, 8)

def train_step():
    h = start
    for t in range(10):
        h = cell(h)
    loss = F.mse_loss(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
