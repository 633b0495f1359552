# subject = "No error, but no training"
# says_any = ["in place"]
# cure_any = ["after backward", "clone"]

critic = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
actor = T.nn.Linear(2, 2)
optimizer = T.optim.SGD(actor.parameters(), lr=0.1)
for step in range(2):
    score = critic(actor(T.ones(3, 2))).mean()
    for p in critic.parameters():
        with T.no_grad():
            p.clamp_(-0.01, 0.01)  # guilty
    optimizer.zero_grad()
    score.backward()
    optimizer.step()
