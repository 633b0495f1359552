# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["detach", "item()"]

net = T.nn.Linear(2, 1)
losses = []
for i in range(3):
    loss = net(T.ones(1, 2)).pow(2).mean()
    loss.backward()
    losses.append(loss.numpy())  # guilty
