q, k, v, head = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)
layers = nn.ModuleList([q, k, v, head])
opt = optim.Adam(layers.parameters(), lr=0.01)
inputs, slots = T.randn(3, 7, 4), T.randn(3, 2, 4)

with viz.diagnose() as report:
    for i in range(3):
        weights = T.softmax(q(slots) @ k(inputs).transpose(1, 2) / 2, dim=1)
        weights = weights / weights.sum(-1, keepdim=True)
        loss = F.mse_loss(head(weights @ v(inputs)), slots)
        opt.zero_grad()
        loss.backward()
        opt.step()
