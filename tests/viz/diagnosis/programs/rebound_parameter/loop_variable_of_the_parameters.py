# subject = "Measured answers"
# says_any = ["stays as it is"]
# cure_any = ["`p -= 0.1 * p.grad`"]
# ask = "viz.explain(loss)"

x, y = T.randn(8), T.randn(8)
net = T.nn.Linear(1, 1)
for i in range(4):
    loss = (net(x[:, None]) - y[:, None]).pow(2).mean()
    loss.backward()
    with T.no_grad():
        for p in net.parameters():
            p = p - 0.1 * p.grad  # guilty
    net.zero_grad()
