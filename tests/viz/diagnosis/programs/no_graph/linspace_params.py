# says_any = ["requires grad"]
# cure_any = ["theta.requires_grad_()"]
# never = ["loss.requires_grad_()"]

theta = T.linspace(0, 1, 3)  # guilty
loss = (theta ** 2).sum()
loss.backward()
