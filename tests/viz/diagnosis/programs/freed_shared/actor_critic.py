# says_any = ["shares"]
# cure_any = ["detach"]

actor = T.nn.Linear(2, 2)
critic = T.nn.Linear(2, 1)
a_opt = T.optim.SGD(actor.parameters(), lr=0.1)
c_opt = T.optim.SGD(critic.parameters(), lr=0.1)
for t in range(2):
    s = T.ones(1, 2)
    value = T.tanh(critic(s))  # guilty
    c_loss = (value - 1).pow(2).mean()
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    logp = T.log_softmax(actor(s), 1)[0, 0]
    a_loss = (-logp * value).mean()
    a_opt.zero_grad()
    a_loss.backward()
    a_opt.step()
