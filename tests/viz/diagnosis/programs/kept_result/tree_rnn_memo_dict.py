# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["earlier"]
# cure_any = ["anew", "detach"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(4, 2)
leafs = {"a": T.randn(2), "b": T.randn(2)}
memo = {}
def encode(node):
    if isinstance(node, str):
        return leafs[node]
    if node not in memo:
        memo[node] = T.tanh(net(T.cat([encode(node[0]), encode(node[1])])))  # guilty
    return memo[node]
opt = T.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    loss = encode((("a", "b"), "a")).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
