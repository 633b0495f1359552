# says_any = ["requires grad"]
# cure_any = ["theta.requires_grad_()", "`theta = t.linspace(0, 1, 3, requires_grad=true)`"]
# never = ["loss.requires_grad_()"]

theta = T.linspace(0, 1, 3)  # guilty
loss = (theta ** 2).sum()
loss.backward()
