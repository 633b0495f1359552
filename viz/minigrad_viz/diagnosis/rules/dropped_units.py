"""A dropout that drops everything."""

from __future__ import annotations

from ..syntax import as_code
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for name, module in evidence.modules:
        for path, inner in module.named_modules():
            kind = type(inner).__name__
            if "Dropout" in kind and inner.training and getattr(inner, "p", 0) == 1:
                full = f"{name}.{path}".rstrip(".")
                parts = {"name": full, "kind": kind, "code": as_code(full)}
                return Match(parts, (full,))
    return None


PROGRAM = """
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Dropout({p}), T.nn.Linear(4, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="dropped_units",
    severity=3,
    chapter="15",
    words={
        "en": Words(
            "a dropout of everything",
            "`{name}` ({kind}) has p=1, the chance to drop: it drops every number, so nothing of "
            "the layers before it arrives and no gradient goes back.",
            "Write `{code}.p = 0.2`, or give that p where it is made.",
        ),
        "zh": Words(
            "dropout 丢掉了一切",
            "`{name}`（{kind}）的 p=1 是丢弃的概率：它丢掉每一个数，前面各层的结果都不能通过，"
            "也没有梯度传回去。",
            "请写 `{code}.p = 0.2`，或在创建它时给出这个 p。",
        ),
    },
    find=find,
    broken=PROGRAM.format(p=1.0),
    sound=PROGRAM.format(p=0.2),
    before=(
        "zero_input",
        "zero",
    ),
)
