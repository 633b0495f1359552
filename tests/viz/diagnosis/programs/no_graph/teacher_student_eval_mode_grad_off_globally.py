# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turned recording off"]
# cure_any = ["set_grad_enabled(true)"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

T.set_grad_enabled(False)  # guilty
teacher = T.nn.Linear(2, 2)
target = teacher(T.ones(1, 2))
student = T.nn.Linear(2, 2)
for i in range(2):
    loss = (student(T.ones(1, 2)) - target).pow(2).mean()
    loss.backward()
