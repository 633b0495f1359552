# subject = "Kept graphs and cleared gradients"
# says_all = ["`loss`", "backward"]

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward(retain_graph=True)
        loss.backward()
        opt.step()
