"""A buffer that an optimizer holds: it gets no gradient, and never changes."""

from __future__ import annotations

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    buffers = {
        id(each): (f"{name}.{path}", path)
        for name, module in evidence.modules
        for path, each in module.named_buffers()
        if not each.requires_grad
    }
    for optimizer, thing in evidence.optimizers:
        for each in (t for group in thing.param_groups for t in group["params"]):
            if id(each) in buffers:
                name, path = buffers[id(each)]
                parts = {"t": name, "attribute": path, "optimizer": optimizer}
                return Match(parts, (name,))
    return None


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.out = T.nn.Linear(3, 1)
        {scale}

    def forward(self, x):
        return self.scale * self.out(x)""",
    net="Net()",
    opt="T.optim.SGD([net.out.weight, net.scale], lr=0.1)",
    before="net.out.bias.requires_grad_(False)",
)

RULE = Rule(
    key="held_buffer",
    severity=2,
    chapter="15",
    en=Words(
        "a buffer that should learn",
        "`{optimizer}` holds `{t}`, which is a buffer: a buffer gets no gradient, so the steps do "
        "not change it.",
        "If it should learn, write `self.{attribute} = nn.Parameter(...)` in place of "
        "`register_buffer`.",
    ),
    zh=Words(
        "应当学习的缓冲区",
        "`{optimizer}` 持有 `{t}`，而它是缓冲区：缓冲区得不到梯度，所以更新不会改变它。",
        "如果它应当学习，请写 `self.{attribute} = nn.Parameter(...)`，代替 `register_buffer`。",
    ),
    find=find,
    broken=PROGRAM.format(scale='self.register_buffer("scale", T.ones(1))'),
    sound=PROGRAM.format(scale="self.scale = T.nn.Parameter(T.ones(1))"),
    before=("frozen",),
)
