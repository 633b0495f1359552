# subject = "Labels that a loss does not take"
# says_any = ["takes probabilities"]
# cure_any = ["binary_cross_entropy_with_logits"]

net = T.nn.Linear(2, 1)
x, y = T.full((4, 2), 100.0), T.ones(4, 1)
net.weight.data.fill_(1.0)
loss = T.nn.functional.binary_cross_entropy(net(x), y)  # guilty
