# subject = "The history ended before the loss"
# says_any = ["comparison", "> 0"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def accuracy(scores, y):
    return ((scores > 0).float() == y).float().mean()  # guilty

def objective(model, x, y):
    scores = model(x).squeeze(1)
    return 1 - accuracy(scores, y)

model = T.nn.Linear(4, 1)
x, y = T.randn(10, 4), T.ones(10)
loss = objective(model, x, y)
loss.backward()
