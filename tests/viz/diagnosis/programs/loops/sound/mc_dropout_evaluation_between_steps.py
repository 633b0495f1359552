net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
opt = optim.Adam(net.parameters())
with viz.diagnose() as report:
    for i in range(4):
        net.train()
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.eval()
        for m in net.modules():
            if isinstance(m, nn.Dropout):
                m.train()
        with T.no_grad():
            preds = T.stack([net(x) for _ in range(3)])
            std = preds.std(0).mean().item()
