# subject = "An earlier pass freed the graph"
# says_any = ["shares"]
# cure_any = ["detach"]

generator = T.nn.Linear(2, 3)
critic = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
g_opt = T.optim.SGD(generator.parameters(), lr=0.1)
d_opt = T.optim.SGD(critic.parameters(), lr=0.1)
for step in range(2):
    noise = T.ones(4, 2)
    fake = T.tanh(generator(noise))  # guilty
    d_loss = critic(fake).mean()
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    g_loss = -critic(fake).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
