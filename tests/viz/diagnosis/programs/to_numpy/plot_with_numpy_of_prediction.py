# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["detach"]

net = T.nn.Linear(1, 1)
x = T.linspace(0, 1, 5).unsqueeze(1)
y = net(x)
ys = y.numpy()  # guilty
