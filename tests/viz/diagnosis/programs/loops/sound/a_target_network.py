import copy
online = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target = copy.deepcopy(online)
optimizer = optim.Adam(online.parameters())
steps = 0

def train_step():
    global steps
    with T.no_grad():
        wanted = y.squeeze(1) + 0.9 * target(x).max(1).values
    chosen = online(x).gather(1, T.zeros(16, 1, dtype=T.int64)).squeeze(1)
    loss = F.smooth_l1_loss(chosen, wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    steps += 1
    if steps % 2 == 0:
        target.load_state_dict(online.state_dict())
