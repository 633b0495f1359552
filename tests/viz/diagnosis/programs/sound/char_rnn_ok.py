rnn = T.nn.Linear(7, 4)
opt = T.optim.Adam(rnn.parameters())
for epoch in range(2):
    hidden = T.zeros(1, 4)
    loss = 0
    for t in range(3):
        hidden = T.tanh(rnn(T.cat([T.eye(3)[t:t + 1], hidden], 1)))
        loss = loss + hidden.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
