# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["write `std = std * eps"]

class Encoder(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = T.nn.Linear(4, 2)
        self.logvar = T.nn.Linear(4, 2)
    def forward(self, x):
        return self.mu(x), self.logvar(x)

def reparameterize(mu, logvar):
    std = T.exp(0.5 * logvar)
    eps = T.randn_like(std)
    std *= eps  # guilty
    return std + mu

enc, dec = Encoder(), T.nn.Linear(2, 4)
x = T.randn(3, 4)
mu, logvar = enc(x)
z = reparameterize(mu, logvar)
loss = (dec(z) - x).pow(2).mean()
loss.backward()
