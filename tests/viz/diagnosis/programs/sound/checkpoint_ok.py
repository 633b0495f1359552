import importlib
cp = importlib.import_module(f"{T.__name__}.utils.checkpoint").checkpoint
net = T.nn.Linear(2, 2)
out = cp(net, T.ones(1, 2), use_reentrant=False)
loss = out.sum()
loss.backward()
