# subject = "Labels that a loss does not take"
# says_any = ["labels from 0 to 4"]
# cure_any = ["one output for each class"]

net = T.nn.Linear(2, 3)
x, y = T.randn(4, 2), T.tensor([0, 2, 4, 1])
loss = T.nn.functional.cross_entropy(net(x), y)  # guilty
