# subject = "Sizes of gradients"
# says_all = ["`first.weight`"]

first, second = nn.Linear(4, 8), nn.Linear(8, 1)
for layer in (first, second):
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
opt = optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        loss = F.mse_loss(second(T.relu(first(x))), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
