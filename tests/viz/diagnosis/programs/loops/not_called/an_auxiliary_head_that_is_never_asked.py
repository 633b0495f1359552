# subject = "Parameters and the optimizer"
# says_all = ["`aux.bias`"]

body, head, aux = nn.Linear(4, 8), nn.Linear(8, 3), nn.Linear(8, 2)
params = list(body.parameters()) + list(head.parameters()) + list(aux.parameters())
opt = optim.AdamW(params, lr=1e-3)

with viz.diagnose() as report:
    for epoch in range(6):
        hidden = T.relu(body(x))
        loss = F.cross_entropy(head(hidden), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
