body, head = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
for p in body.parameters():
    p.requires_grad = False
loss = head(body(T.ones(1, 2))).sum()
loss.backward()
