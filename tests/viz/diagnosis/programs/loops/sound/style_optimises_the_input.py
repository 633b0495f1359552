feat = nn.Sequential(nn.Linear(4, 8), nn.ReLU()).eval()
for p in feat.parameters():
    p.requires_grad_(False)
img = x.clone().requires_grad_(True)
target = feat(T.randn(16, 4)).detach()
opt = optim.Adam([img], lr=0.1)
with viz.diagnose() as report:
    for step in range(4):
        opt.zero_grad()
        loss = F.mse_loss(feat(img), target) + 0.1 * (img[:, 1:] - img[:, :-1]).abs().mean()
        loss.backward()
        opt.step()
        with T.no_grad():
            img.clamp_(-3, 3)
