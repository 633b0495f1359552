# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(model.weight)"
# says_any = ["cleared"]
# cure_any = ["before backward", "after the step"]

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.5)
for _ in range(3):
    loss = model(T.ones(3, 2)).pow(2).mean()
    loss.backward()
    opt.zero_grad()  # guilty
    opt.step()
