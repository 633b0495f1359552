# subject = "Modules, helpers, decorators, hooks, caches and states"
# library = "torch"
# says_any = ["before the loop"]
# cure_any = ["context.detach()"]
# never = ["retain_graph=True"]

enc = T.nn.GRU(2, 3)
dec = T.nn.GRU(1, 3)
head = T.nn.Linear(3, 1)
params = [*enc.parameters(), *dec.parameters(), *head.parameters()]
opt = T.optim.Adam(params)
_, context = enc(T.randn(5, 1, 2))  # guilty
for step in range(4):
    out, _ = dec(T.ones(1, 1, 1), context)
    loss = (head(out) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
