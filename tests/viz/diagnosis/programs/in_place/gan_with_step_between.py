# subject = "Something was changed in place"
# says_any = ["in place", "changed"]
# cure_any = ["before that step"]

generator = T.nn.Linear(2, 3)
critic = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
g_opt = T.optim.SGD(generator.parameters(), lr=0.1)
d_opt = T.optim.SGD(critic.parameters(), lr=0.1)
noise = T.ones(4, 2)
fake = T.tanh(generator(noise))
score = critic(fake)
d_loss = score.mean()
g_loss = -score.mean()
d_loss.backward(retain_graph=True)
d_opt.step()  # guilty
g_loss.backward()
g_opt.step()
