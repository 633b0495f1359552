# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

class Wrapper(T.nn.Module):
    def __init__(self, base, train_base=False):
        super().__init__()
        self.base = base
        if not train_base:
            for p in self.base.parameters():
                p.requires_grad_(False)  # guilty
    def forward(self, x):
        return self.base(x).mean()

def build(cfg):
    return Wrapper(T.nn.Linear(2, 2), **cfg)

model = build({"train_base": False})
loss = model(T.ones(1, 2))
loss.backward()
