# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["float()"]
# cure_any = ["leave float() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

from dataclasses import dataclass, field

@dataclass
class Result:
    loss: float = 0.0
    parts: dict = field(default_factory=dict)

def step(model, x):
    out = model(x)
    a, b = out.pow(2).mean(), out.abs().mean()
    return Result(loss=float(a + b), parts={"a": a, "b": b})  # guilty

model = T.nn.Linear(2, 1)
res = step(model, T.ones(2, 2))
T.tensor(res.loss).backward()
