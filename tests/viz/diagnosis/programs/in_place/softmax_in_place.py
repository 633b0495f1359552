# says_any = ["in place"]
# cure_any = ["clone"]

logits = T.zeros(2, 3, requires_grad=True)
p = T.softmax(logits, 1)
p[:, 0] = 0  # guilty
loss = p.sum()
loss.backward()
