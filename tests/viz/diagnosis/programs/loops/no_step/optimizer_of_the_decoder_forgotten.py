# says_all = ["dec_opt"]

enc, dec = (nn.Linear(4, 6), nn.Linear(6, 4))
enc_opt, dec_opt = (optim.SGD(enc.parameters(), lr=0.1), optim.SGD(dec.parameters(), lr=0.1))
with viz.diagnose() as report:
    for i in range(5):
        enc_opt.zero_grad()
        dec_opt.zero_grad()
        loss = F.mse_loss(dec(F.relu(enc(x))), x)
        loss.backward()
        enc_opt.step()
