# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place", "changed"]
# cure_any = ["clone", "out of place", "list"]

f = T.nn.Linear(2, 2)
y = T.ones(1, 2)
dt = 0.1
traj = [y]
y = T.tanh(f(y))
for k in range(3):
    y += dt * T.tanh(f(y))  # guilty
    traj.append(y)
loss = T.cat(traj).pow(2).mean()
loss.backward()
