# subject = "Labels that a loss does not take"
# says_any = ["int64"]
# cure_any = ["`y.float()`"]

net = T.nn.Linear(2, 1)
x, y = T.randn(4, 2), T.tensor([[0], [1], [1], [0]])
loss = T.nn.functional.binary_cross_entropy_with_logits(net(x), y)  # guilty
loss.backward()
