# subject = "Kept graphs and cleared gradients"
# says_all = ["`total`", "item()"]
# example = true

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
total = 0.0

with viz.diagnose() as report:
    for epoch in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        total += loss
