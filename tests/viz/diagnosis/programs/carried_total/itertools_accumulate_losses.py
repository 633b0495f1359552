# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["adds up", "earlier turn"]
# cure_any = ["once after the loop", "this turn alone"]

net = T.nn.Linear(2, 1)
batches = [T.randn(2, 2) for _ in range(3)]
total = T.zeros(1)
for b in batches:
    total = total + net(b).pow(2).mean()  # guilty
    total.backward()
