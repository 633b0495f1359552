acts = {}
net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1))
net[0].register_forward_hook(lambda m, i, o: acts.__setitem__("h", o))
out = net(T.ones(2, 2))
loss = out.mean() + acts["h"].abs().mean()
loss.backward()
