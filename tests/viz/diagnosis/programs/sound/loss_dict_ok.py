net = T.nn.Linear(2, 2)
out = net(T.ones(3, 2))
parts = {"a": out[:, 0].pow(2).mean(), "b": out[:, 1].abs().mean()}
logged = {k: v.item() for k, v in parts.items()}
loss = parts["a"] + 0.5 * parts["b"]
loss.backward()
