# subject = "Labels that a loss does not take"
# says_any = ["index of each sample's class"]
# cure_any = ["`y.long()`"]

net = T.nn.Linear(2, 3)
x, y = T.randn(4, 2), T.tensor([0.0, 1.0, 2.0, 1.0])
loss = T.nn.functional.cross_entropy(net(x), y)  # guilty
