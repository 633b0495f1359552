class VAE(nn.Module):

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc21 = nn.Linear(8, 2)
        self.fc22 = nn.Linear(8, 2)
        self.fc3 = nn.Linear(2, 8)
        self.fc4 = nn.Linear(8, 4)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return (self.fc21(h1), self.fc22(h1))

    def reparameterize(self, mu, logvar):
        std = T.exp(0.5 * logvar)
        return mu + T.randn_like(std) * std

    def decode(self, z):
        return T.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return (self.decode(self.reparameterize(mu, logvar)), mu, logvar)
model = VAE()
optimizer = optim.Adam(model.parameters(), lr=0.001)
with viz.diagnose() as report:
    for epoch in range(3):
        model.train()
        train_loss = 0
        for i in range(0, 16, 8):
            data = T.sigmoid(x[i:i + 8])
            optimizer.zero_grad()
            recon, mu, logvar = model(data)
            BCE = F.binary_cross_entropy(recon, data, reduction='sum')
            KLD = -0.5 * T.sum(1 + logvar - mu.pow(2) - logvar.exp())
            loss = BCE + KLD
            loss.backward()
            train_loss += loss.item()
            optimizer.step()
