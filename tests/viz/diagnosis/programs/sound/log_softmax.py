logits = T.zeros(2, 3, requires_grad=True)
loss = -T.log_softmax(logits, 1)[:, 0].mean()
loss.backward()
