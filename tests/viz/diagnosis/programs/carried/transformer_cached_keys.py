# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["self.cache"]
# never = ["retain_graph=True"]

class Attention(T.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = T.nn.Linear(d, d), T.nn.Linear(d, d), T.nn.Linear(d, d)
        self.cache = None
    def forward(self, x):
        k, v = self.k(x), self.v(x)
        if self.cache is not None:
            k = T.cat([self.cache[0], k], 0)
            v = T.cat([self.cache[1], v], 0)
        self.cache = (k, v)  # guilty
        scores = self.q(x) @ k.T
        return T.softmax(scores, -1) @ v

attn = Attention(4)
opt = T.optim.SGD(attn.parameters(), lr=0.1)
for step in range(3):
    loss = attn(T.randn(2, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
