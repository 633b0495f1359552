# subject = "No error, but no training"
# ask = "viz.explain(model.bias)"
# says_any = ["frozen"]
# cure_any = ["requires_grad_()", "requires_grad = true"]
# never = ["was made without"]
# [repair]
# old = "model.bias.requires_grad = False"
# new = "pass"

model = T.nn.Linear(3, 1)
model.bias.requires_grad = False  # guilty
loss = model(T.ones(2, 3)).mean()
loss.backward()
