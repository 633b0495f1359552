# subject = "The history ended before the loss"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true", "requires_grad_()"]
# never = ["loss.requires_grad_()"]

model = T.nn.Linear(3, 1)
model.requires_grad_(False)  # guilty
loss = model(T.ones(2, 3)).mean()
loss.backward()
