# ask = "viz.explain(vae.enc.weight, loss)"
# says_any = [".data"]
# cure_any = ["leave .data out"]
# [repair]
# old = ".data"
# new = ""

class VAE(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = T.nn.Linear(4, 4)
        self.dec = T.nn.Linear(2, 4)

    def encode(self, x):
        h = self.enc(x)
        return h[:, :2], h[:, 2:]

    def sample(self, mu, logvar):
        eps = T.randn_like(mu)
        z = mu + T.exp(logvar / 2) * eps
        return z.data  # guilty

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.sample(mu, logvar)
        return self.dec(z), mu, logvar

vae = VAE()
opt = T.optim.Adam(vae.parameters(), lr=0.01)
x = T.ones(3, 4)
for i in range(2):
    out, mu, logvar = vae(x)
    loss = (out - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
