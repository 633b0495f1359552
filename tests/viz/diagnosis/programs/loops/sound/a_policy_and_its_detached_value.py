body, policy, value = nn.Linear(4, 8), nn.Linear(8, 3), nn.Linear(8, 1)
opt = optim.Adam([*body.parameters(), *policy.parameters(), *value.parameters()])
rewards = T.randn(16)

def train_step():
    h = T.tanh(body(x))
    v = value(h).squeeze(1)
    advantage = rewards - v.detach()
    logp = F.log_softmax(policy(h), dim=1)
    loss = -(logp[T.arange(16), classes] * advantage).mean() + F.mse_loss(v, rewards)
    opt.zero_grad()
    loss.backward()
    opt.step()
