nn, F, optim = T.nn, T.nn.functional, T.optim


class Sharp:
    def __init__(self, weights, inner):
        self.weights, self.inner = list(weights), inner

    @T.no_grad()
    def climb(self):
        size = T.sqrt(sum((w.grad**2).sum() for w in self.weights)) + 1e-12
        self.moves = [0.05 * w.grad / size for w in self.weights]
        for w, move in zip(self.weights, self.moves):
            w.add_(move)
        self.inner.zero_grad()

    @T.no_grad()
    def descend(self):
        for w, move in zip(self.weights, self.moves):
            w.sub_(move)
        self.inner.step()
        self.inner.zero_grad()


net = nn.Linear(3, 2)
x, y = T.randn(8, 3), T.arange(8) % 2
sharp = Sharp(net.parameters(), optim.SGD(net.parameters(), lr=0.1))
for i in range(4):
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    sharp.climb()
    F.cross_entropy(net(x), y).backward()
    sharp.descend()
