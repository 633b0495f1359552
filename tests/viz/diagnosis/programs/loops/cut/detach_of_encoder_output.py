# says_all = ["encoder", "detach"]

encoder, decoder = (nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 4))
opt = optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=0.01)

def train_step():
    z = encoder(x).detach()
    loss = F.mse_loss(decoder(z), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
