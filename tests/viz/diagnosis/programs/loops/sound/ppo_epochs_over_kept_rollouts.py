pol = nn.Linear(4, 3)
opt = optim.Adam(pol.parameters(), lr=0.001)
with viz.diagnose() as report:
    for it in range(2):
        with T.no_grad():
            old = F.log_softmax(pol(x), 1)[:, 0]
        for epoch in range(3):
            new = F.log_softmax(pol(x), 1)[:, 0]
            ratio = (new - old).exp()
            adv = y.squeeze(1)
            loss = -T.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
