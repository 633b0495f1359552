# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["hidden.detach()"]
# never = ["loss.requires_grad_()", "requires_grad_() before", "retain_graph=True"]

class CharRNN(T.nn.Module):
    def __init__(self, v, h):
        super().__init__()
        self.h = h
        self.i2h = T.nn.Linear(v + h, h)
        self.i2o = T.nn.Linear(h, v)
    def forward(self, x, hidden):
        hidden = T.tanh(self.i2h(T.cat([x, hidden], 1)))
        return self.i2o(hidden), hidden
    def start(self):
        return T.zeros(1, self.h)
rnn = CharRNN(3, 4)
opt = T.optim.Adam(rnn.parameters())
hidden = rnn.start()
for epoch in range(3):
    loss = 0
    for t in range(2):
        out, hidden = rnn(T.eye(3)[t:t + 1], hidden)  # guilty
        loss = loss - T.log_softmax(out, 1)[0, t]
    opt.zero_grad()
    loss.backward()
    opt.step()
