actor = nn.Linear(4, 2)
critic = nn.Linear(4, 1)
oa = optim.Adam(actor.parameters())
oc = optim.Adam(critic.parameters())

def train_step():
    s, s2 = (T.randn(8, 4), T.randn(8, 4))
    logp = F.log_softmax(actor(s), 1)[:, 0]
    v = critic(s).squeeze(1)
    with T.no_grad():
        target = 1.0 + 0.9 * critic(s2).squeeze(1)
    adv = target - v
    oa.zero_grad()
    (-logp * adv.detach()).mean().backward()
    oa.step()
    oc.zero_grad()
    adv.pow(2).mean().backward()
    oc.step()
