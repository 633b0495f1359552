emb, head = T.nn.Embedding(4, 2), T.nn.Linear(2, 1)
for epoch in range(2):
    vectors = emb(T.tensor([0, 1]))
    loss = head(vectors * vectors).pow(2).mean()
    loss.backward()
