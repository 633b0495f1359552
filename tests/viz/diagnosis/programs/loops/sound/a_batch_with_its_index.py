net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.05)
rows = T.arange(16)
loader = T.utils.data.DataLoader(T.utils.data.TensorDataset(rows, x, y), batch_size=4)

with viz.diagnose() as report:
    for index, xb, yb in loader:
        loss = F.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
