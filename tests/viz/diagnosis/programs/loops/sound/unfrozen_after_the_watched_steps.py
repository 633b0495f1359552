body, head = nn.Linear(4, 8), nn.Linear(8, 1)
body.requires_grad_(False)
opt = optim.Adam(head.parameters(), lr=0.01)

with viz.diagnose() as report:
    for epoch in range(8):
        if epoch == 5:
            body.requires_grad_(True)
            opt.add_param_group({"params": body.parameters(), "lr": 0.002})
        loss = F.mse_loss(head(T.relu(body(x))), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
