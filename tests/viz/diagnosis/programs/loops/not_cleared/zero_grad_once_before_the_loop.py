# subject = "Kept graphs and cleared gradients"
# says_all = ["zero_grad"]

net = nn.Linear(4, 1)
opt = optim.Adam(net.parameters(), lr=0.1)
opt.zero_grad()

with viz.diagnose() as report:
    for epoch in range(5):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
