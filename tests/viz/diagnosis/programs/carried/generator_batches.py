# says_any = ["turn"]
# cure_any = ["state.detach()"]
# never = ["retain_graph=True"]

def batches(n):
    for i in range(n):
        yield T.ones(2, 3) * i
enc = T.nn.Linear(3, 3)
state = T.zeros(2, 3)
opt = T.optim.SGD(enc.parameters(), lr=0.1)
for b in batches(3):
    state = 0.5 * state + T.tanh(enc(b))  # guilty
    err = (state ** 2).mean()
    opt.zero_grad()
    err.backward()
    opt.step()
