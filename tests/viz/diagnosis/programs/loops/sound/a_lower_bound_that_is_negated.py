enc, dec = nn.Linear(4, 4), nn.Linear(2, 4)
opt = optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)

with viz.diagnose() as report:
    for i in range(3):
        mu, logvar = enc(x).chunk(2, 1)
        z = mu + T.randn_like(mu) * (0.5 * logvar).exp()
        fit = -F.mse_loss(dec(z), x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
        bound = fit - kl
        loss = -bound
        opt.zero_grad()
        loss.backward()
        opt.step()
