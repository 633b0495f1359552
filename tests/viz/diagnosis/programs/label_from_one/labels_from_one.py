# subject = "Labels that a loss does not take"
# says_any = ["labels from 1 to 3"]
# cure_any = ["`y - 1`"]

net = T.nn.Linear(2, 3)
x, y = T.randn(4, 2), T.tensor([1, 2, 3, 1])
loss = T.nn.functional.cross_entropy(net(x), y)  # guilty
