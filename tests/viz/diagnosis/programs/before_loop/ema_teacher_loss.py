# says_any = ["before the loop"]
# cure_any = ["goal.detach()"]

student, teacher = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
opt = T.optim.SGD(student.parameters(), lr=0.1)
x = T.ones(3, 2)
goal = T.tanh(teacher(x))  # guilty
for i in range(2):
    loss = (student(x) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
