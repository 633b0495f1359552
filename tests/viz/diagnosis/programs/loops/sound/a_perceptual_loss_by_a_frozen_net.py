judge = nn.Sequential(nn.Linear(4, 8), nn.ReLU()).eval()
maker = nn.Linear(4, 4)
optimizer = optim.Adam(maker.parameters())

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(judge(maker(x)), judge(x).detach())
    loss.backward()
    optimizer.step()
