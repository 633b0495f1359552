table = T.nn.Embedding(5, 2)
ids = T.tensor([1, 3])
loss = table(ids).pow(2).sum()
loss.backward()
