# says_any = ["requires grad", "did not require"]
# never = ["y.requires_grad_()"]

x = T.ones(3)  # guilty
y = (x * 2).sum()  # guilty
x.requires_grad_()
y.backward()
