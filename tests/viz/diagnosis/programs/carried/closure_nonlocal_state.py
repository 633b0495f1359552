# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def make_rnn():
    cell = T.nn.Linear(4, 2)
    h = T.zeros(1, 2)
    def run(x):
        nonlocal h
        h = T.tanh(cell(T.cat([x, h], 1)))  # guilty
        return h
    return cell, run
cell, run = make_rnn()
for i in range(3):
    loss = run(T.randn(1, 2)).pow(2).sum()
    loss.backward()
