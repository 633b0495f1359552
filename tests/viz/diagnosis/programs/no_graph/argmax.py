# subject = "The history ended before the loss"
# says_any = ["argmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

model = T.nn.Linear(4, 3)
x = T.randn(8, 4)
labels = T.tensor([0, 1, 2, 0, 1, 2, 0, 1])
scores = model(x)
predicted = scores.argmax(1)  # guilty
loss = ((predicted - labels) ** 2).float().mean()
loss.backward()
