# subject = "Labels that a loss does not take"
# says_any = ["[4, 1]"]
# cure_any = ["`y.squeeze(1)`"]

net = T.nn.Linear(2, 3)
criterion = T.nn.CrossEntropyLoss()
x, y = T.randn(4, 2), T.tensor([[0], [1], [2], [1]])
loss = criterion(net(x), y)  # guilty
