# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["freed", "optimizer", "earlier"]

enc = T.nn.Linear(2, 3)
cls, dom = T.nn.Linear(3, 1), T.nn.Linear(3, 1)
opt_c = T.optim.SGD([*enc.parameters(), *cls.parameters()], lr=0.1)
opt_d = T.optim.SGD(dom.parameters(), lr=0.1)
for i in range(3):
    f = enc(T.randn(4, 2))
    lc = cls(f).pow(2).mean()
    ld = -dom(f).pow(2).mean()
    opt_d.zero_grad()
    ld.backward(retain_graph=True)
    opt_d.step()  # guilty
    opt_c.zero_grad()
    (lc + 0.1 * dom(T.relu(f)).mean()).backward()
    opt_c.step()
    ld.backward()
