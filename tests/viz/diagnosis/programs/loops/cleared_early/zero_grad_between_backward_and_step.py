# subject = "Kept graphs and cleared gradients"
# says_all = ["zero_grad"]
# example = true

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(5):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.zero_grad()
        opt.step()
