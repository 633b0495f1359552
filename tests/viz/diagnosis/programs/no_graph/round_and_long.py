# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["integers", "long"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
price = net(T.ones(4, 2)).round().long()  # guilty
loss = (price - T.tensor([[1], [2], [3], [4]])).float().abs().mean()
loss.backward()
