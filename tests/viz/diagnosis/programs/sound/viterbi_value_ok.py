trans = T.nn.Parameter(T.zeros(3, 3))
score = T.randn(3)
for i in range(3):
    best, back = (score.unsqueeze(1) + trans).max(0)
    score = best
loss = -score.max()
loss.backward()
