# subject = "Measured answers"
# says_any = ["used as it should be"]
# never = ["retain_graph", "zero_grad"]
# ask = "viz.explain(loss)"

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(3):
    loss = (net(x) - y).pow(2).mean()
    loss.backward()  # guilty
    with T.no_grad():
        norm = T.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
        eps = [0.05 * p.grad / (norm + 1e-12) for p in net.parameters()]
        for p, e in zip(net.parameters(), eps):
            p.add_(e)
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    with T.no_grad():
        for p, e in zip(net.parameters(), eps):
            p.sub_(e)
    opt.step()
    opt.zero_grad()
