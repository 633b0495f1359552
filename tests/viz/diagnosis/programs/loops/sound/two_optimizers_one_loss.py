body, head = nn.Linear(4, 8), nn.Linear(8, 1)
slow, fast = optim.SGD(body.parameters(), lr=0.01), optim.Adam(head.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        slow.zero_grad()
        fast.zero_grad()
        loss = F.mse_loss(head(T.tanh(body(x))), y)
        loss.backward()
        slow.step()
        fast.step()
