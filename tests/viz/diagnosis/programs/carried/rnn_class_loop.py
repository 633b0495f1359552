# says_any = ["turn"]
# cure_any = ["hidden = hidden.detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     opt.zero_grad()'''
# new = '''
#     hidden = hidden.detach()
#     opt.zero_grad()'''

class RNN(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.i2h = T.nn.Linear(3, 3)
        self.h2h = T.nn.Linear(3, 3)
    def forward(self, x, hidden):
        return T.tanh(self.i2h(x) + self.h2h(hidden))

rnn = RNN()
crit = T.nn.MSELoss()
opt = T.optim.SGD(rnn.parameters(), lr=0.01)
hidden = T.zeros(1, 3)
data = [T.ones(1, 3) for _ in range(4)]
for x in data:
    opt.zero_grad()
    out = rnn(x, hidden)
    hidden = out  # guilty
    loss = crit(out, T.zeros(1, 3))
    loss.backward()
    opt.step()
