# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["shares"]
# cure_any = ["add the two"]

enc = T.nn.Linear(3, 4)
h1, h2 = T.nn.Linear(4, 1), T.nn.Linear(4, 1)
x = T.randn(5, 3)
z = T.relu(enc(x))  # guilty
l1 = h1(z).mean()
l2 = h2(z).pow(2).mean()
l1.backward()
l2.backward()
