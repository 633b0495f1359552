# subject = "No error, but no training"
# says_any = ["frozen"]
# never = ["loss.requires_grad_()"]

teacher = T.nn.Linear(2, 2)
student = T.nn.Linear(2, 2)
student.requires_grad_(False)  # guilty
x = T.ones(3, 2)
target = teacher(x).detach()
loss = (student(x) - target).pow(2).mean()
loss.backward()
