critic, actor = nn.Linear(4, 1), nn.Linear(2, 4)
critic_opt = optim.RMSprop(critic.parameters(), lr=1e-3)
actor_opt = optim.RMSprop(actor.parameters(), lr=1e-3)

with viz.diagnose() as report:
    for i in range(3):
        for _ in range(2):
            critic.zero_grad()
            loss = critic(actor(T.randn(16, 2)).detach()).mean() - critic(x).mean()
            loss.backward()
            critic_opt.step()
            with T.no_grad():
                for p in critic.parameters():
                    p.clamp_(-0.1, 0.1)
        actor.zero_grad()
        loss = -critic(actor(T.randn(16, 2))).mean()
        loss.backward()
        actor_opt.step()
