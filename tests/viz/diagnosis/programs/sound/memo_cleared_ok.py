net = T.nn.Linear(2, 2)
memo = {}
def encode(k):
    if k not in memo:
        memo[k] = T.tanh(net(T.ones(2) * k))
    return memo[k]
for epoch in range(2):
    memo.clear()
    loss = (encode(1) + encode(2) + encode(1)).pow(2).sum()
    net.zero_grad()
    loss.backward()
