# says_all = ["`model.decoder.weight`"]

class Auto(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)
        self.decoder = nn.Linear(2, 4)

    def forward(self, x):
        return self.decoder(T.tanh(self.encoder(x)))

model = Auto()
optimizer = optim.Adam(model.encoder.parameters(), lr=1e-2)

def train_step():
    loss = F.mse_loss(model(x), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
