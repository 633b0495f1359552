W = T.nn.Parameter(T.randn(3, 3))
u = T.ones(3)
for i in range(2):
    with T.no_grad():
        v = W.T @ u
        u = W @ v / (W @ v).norm()
    loss = u @ W @ v
    loss.backward()
