# says_all = ["data"]

x[2, 0] = float('inf')
stem, head = (nn.Linear(4, 8), nn.Linear(8, 3))
opt = optim.SGD([*stem.parameters(), *head.parameters()], lr=0.1)
with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        F.cross_entropy(head(T.tanh(stem(x)) * stem(x)), classes).backward()
        opt.step()
