# subject = "A history that is cut"
# says_all = ["`encoder.weight`", "`code = encoder(x).data`"]

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)

with viz.diagnose() as report:
    for i in range(4):
        code = encoder(x).data
        loss = F.mse_loss(head(code), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
