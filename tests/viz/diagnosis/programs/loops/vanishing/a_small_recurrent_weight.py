# subject = "Sizes of gradients"
# says_all = ["`inner.weight`"]

inner, outer = nn.Linear(4, 8), nn.Linear(8, 1)
shrink = [nn.Linear(8, 8) for _ in range(12)]
for layer in shrink:
    with T.no_grad():
        layer.weight.mul_(0.01)
params = [p for m in (inner, *shrink, outer) for p in m.parameters()]
opt = optim.Adam(params, lr=1e-3)

with viz.diagnose() as report:
    for i in range(4):
        h = inner(x)
        for layer in shrink:
            h = T.tanh(layer(h))
        loss = F.mse_loss(outer(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
