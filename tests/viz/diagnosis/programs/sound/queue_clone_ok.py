enc = T.nn.Linear(3, 2)
queue = T.randn(4, 2)
for i in range(2):
    q, k = enc(T.randn(2, 3)), enc(T.randn(2, 3)).detach()
    logits = q @ queue.clone().T
    queue[:2] = k
    loss = -T.log_softmax(logits, 1)[:, 0].mean()
    loss.backward()
