m = T.nn.Linear(2, 1)
opt = T.optim.SGD(m.parameters(), lr=0.1)
best, state = float("inf"), None
for i in range(3):
    m.train()
    loss = m(T.ones(2, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    m.eval()
    with T.no_grad():
        val = m(T.zeros(1, 2)).pow(2).mean().item()
    if val < best:
        best, state = val, {k: v.clone() for k, v in m.state_dict().items()}
