# says_all = ["encoder"]

encoder, decoder = (nn.Linear(4, 2), nn.Linear(2, 4))
ae = nn.Sequential(encoder, decoder)
opt = optim.Adam(decoder.parameters(), lr=0.01)
with viz.diagnose() as report:
    for epoch in range(4):
        opt.zero_grad()
        loss = F.mse_loss(ae(x), x)
        loss.backward()
        opt.step()
