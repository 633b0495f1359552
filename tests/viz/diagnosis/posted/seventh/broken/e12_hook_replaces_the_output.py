# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: the forward hook's lambda returns a value (`dict.setdefault` returns the stored mean), which replaces the layer's output.
# line: net[0].register_forward_hook(lambda m, i, o: feats.setdefault("h", o.mean(0)))
# cure: a hook which returns None (def hook: feats["h"] = o.detach()).
# harmful: changing the Linear sizes to fit; reshaping the mean to the batch.
import torch
import torch.nn as nn

torch.manual_seed(11)
net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.BatchNorm1d(20), nn.Linear(20, 4))
feats = {}
net[0].register_forward_hook(lambda m, i, o: feats.setdefault("h", o.mean(0)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(32, 10), torch.randint(0, 4, (32,))

for epoch in range(5):
    feats.clear()
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
