# library = "torch"

lstm = nn.LSTM(3, 6, batch_first=True)
fc = nn.Linear(6, 3)
opt = optim.Adam([*lstm.parameters(), *fc.parameters()])
data = T.randn(4, 20, 3)
tgt = T.randint(0, 3, (4, 20))
with viz.diagnose() as report:
    for epoch in range(2):
        state = None
        for i in range(0, 20, 5):
            if state is not None:
                state = tuple((s.detach() for s in state))
            o, state = lstm(data[:, i:i + 5], state)
            loss = F.cross_entropy(fc(o).reshape(-1, 3), tgt[:, i:i + 5].reshape(-1))
            opt.zero_grad()
            loss.backward()
            T.nn.utils.clip_grad_norm_(lstm.parameters(), 1.0)
            opt.step()
