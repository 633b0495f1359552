# says_all = ["logvar"]

class VAE(nn.Module):

    def __init__(self):
        super().__init__()
        self.mu = nn.Linear(4, 2)
        self.logvar = nn.Linear(4, 2)
        self.dec = nn.Linear(2, 4)

    def sample(self, mu, logvar):
        with T.no_grad():
            noise = T.randn(16, 2) * (0.5 * logvar).exp()
        return mu + noise

    def forward(self, x):
        mu, lv = (self.mu(x), self.logvar(x))
        return self.dec(self.sample(mu, lv))
vae = VAE()
opt = optim.Adam(vae.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(vae(x), x).backward()
    opt.step()
