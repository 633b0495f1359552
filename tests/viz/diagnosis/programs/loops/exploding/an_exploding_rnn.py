# subject = "Parts that only PyTorch has"
# library = "torch"
# says_all = ["`rnn.weight_hh_l0`"]

rnn, head = nn.RNN(4, 8, nonlinearity="relu"), nn.Linear(8, 1)
with T.no_grad():
    rnn.weight_hh_l0.mul_(8.0).abs_()
opt = optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
sequence = T.randn(12, 5, 4)

def train_step():
    opt.zero_grad()
    out, _ = rnn(sequence)
    loss = head(out[-1]).pow(2).mean()
    loss.backward()
    opt.step()
