# library = "torch"

lstm, head = nn.LSTM(4, 8), nn.Linear(8, 1)
opt = optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
sequence, state = T.randn(3, 5, 4), None

def train_step():
    global state
    if state is not None:
        state = tuple(s.detach() for s in state)
    out, state = lstm(sequence, state)
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
