# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["frozen"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

student, teacher = T.nn.Linear(2, 2), T.nn.Linear(2, 2)
for p in teacher.parameters():
    p.requires_grad_(False)  # guilty
x = T.ones(3, 2)
loss = T.nn.functional.mse_loss(teacher(x), student(x).detach())  # guilty
loss.backward()
