# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: copy/paste: `dec_opt.step()` is called twice and `enc_opt.step()` never, the encoder stays at its initial values.
# line: dec_opt.step() (the second one)
# cure: `enc_opt.step()` there.
# harmful: only deleting the second dec_opt.step(); raising enc_opt's lr; freezing the encoder.
import torch
import torch.nn as nn

torch.manual_seed(17)
encoder = nn.Sequential(nn.Linear(20, 16), nn.Tanh(), nn.Linear(16, 3))
decoder = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 20))
enc_opt = torch.optim.Adam(encoder.parameters(), lr=5e-3)
dec_opt = torch.optim.Adam(decoder.parameters(), lr=5e-3)
mix = torch.randn(3, 20)
code = torch.randn(300, 3)
data = torch.tanh(code @ mix)
mse = nn.MSELoss()

for epoch in range(300):
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    z = encoder(data)
    rec = decoder(z)
    loss = mse(rec, data)
    loss.backward()
    dec_opt.step()
    dec_opt.step()
print("reconstruction", loss.item())
