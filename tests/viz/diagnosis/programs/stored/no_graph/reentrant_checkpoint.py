# subject = "Functions within functions"

from importlib import import_module
checkpoint = import_module(f"{T.__name__}.utils.checkpoint").checkpoint
def scaled(v):
    return v * w

y = checkpoint(scaled, x, use_reentrant=True).detach().sum()
y.backward()
