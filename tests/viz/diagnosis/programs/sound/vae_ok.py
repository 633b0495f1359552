enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
x = T.randn(3, 4)
mu, logvar = enc(x).chunk(2, 1)
z = mu + T.exp(0.5 * logvar) * T.randn_like(mu)
kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
loss = (dec(z) - x).pow(2).mean() + 0.01 * kl
loss.backward()
