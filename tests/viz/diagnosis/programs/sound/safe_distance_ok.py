pts = T.randn(3, 2, requires_grad=True)
diff = pts.unsqueeze(0) - pts.unsqueeze(1)
loss = ((diff ** 2).sum(-1) + 1e-8).sqrt().sum()
loss.backward()
