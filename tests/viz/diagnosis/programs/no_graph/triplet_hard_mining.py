# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(3, 2)
a, p, n = net(T.randn(4, 3)), net(T.randn(4, 3)), net(T.randn(4, 3))

def dist(u, v):
    return (u - v).pow(2).sum(1).sqrt()

violated = dist(a, p) + 0.2 > dist(a, n)  # guilty
loss = violated.float().mean()
loss.backward()
