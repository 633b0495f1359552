# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["float()"]
# cure_any = ["leave float() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import linecache, types
lines = ["def cost(model, x):", "    out = model(x)", "    return float(out.pow(2).mean())"]
text = chr(10).join(lines) + chr(10)
linecache.cache["losses.py"] = (len(text), None, text.splitlines(True), "losses.py")
losses = types.ModuleType("losses")
exec(compile(text, "losses.py", "exec"), losses.__dict__)
model = T.nn.Linear(2, 1)
loss = T.tensor(losses.cost(model, T.ones(2, 2)))
loss.backward()
