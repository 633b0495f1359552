# subject = "The history ended before the loss"
# says_any = ["comparison", "> 0"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.randn(4, requires_grad=True)
x = T.randn(10, 4)
y = T.ones(10)
right = (x @ w > 0).float()  # guilty
accuracy = (right == y).float().mean()
loss = 1 - accuracy
loss.backward()
