# subject = "Measured answers"
# says_any = ["does not require grad"]
# cure_any = ["`w = t.randn(1, requires_grad=true)`"]
# never = ["create_graph", "x.requires_grad"]

x = T.randn(20)
y = 3 * x
w = T.randn(1)  # guilty
for step in range(5):
    loss = ((w * x - y) ** 2).mean()
    loss.backward()
    with T.no_grad():
        w -= 0.1 * w.grad
        w.grad = None
