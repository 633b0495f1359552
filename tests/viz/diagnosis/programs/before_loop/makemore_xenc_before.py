# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop"]
# cure_any = ["into the loop"]

words = [[0, 1, 2], [1, 2, 0]]
W = T.randn(3, 3, requires_grad=True)
xenc = T.eye(3)
logits = xenc @ W  # guilty
counts = logits.exp()
prob = counts / counts.sum(1, keepdim=True)
for k in range(3):
    loss = -prob[T.arange(3), T.tensor([1, 2, 0])].log().mean()
    W.grad = None
    loss.backward()
    W.data += -0.1 * W.grad
