# subject = "The history ended before the loss"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]
# [repair]
# old = "requires_grad = False"
# new = "requires_grad = True"

model = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Linear(3, 1))
for p in model.parameters():
    p.requires_grad = False  # guilty
loss = model(T.ones(2, 3)).mean()
loss.backward()
