# says_all = ["head2"]

trunk, head1, head2 = (nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3))
opt = optim.Adam([*trunk.parameters(), *head1.parameters(), *head2.parameters()])

def train_step():
    z = F.relu(trunk(x))
    o1, o2 = (head1(z), head2(z))
    loss = F.mse_loss(o1, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
