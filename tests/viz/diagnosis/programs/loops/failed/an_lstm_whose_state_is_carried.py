# subject = "Parts that only PyTorch has"
# library = "torch"
# says_all = ["`state`"]

lstm = nn.LSTM(4, 8)
opt = optim.SGD(lstm.parameters(), lr=0.1)
sequence = T.randn(3, 5, 4)
state = None

def train_step():
    global state
    out, state = lstm(sequence, state)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
