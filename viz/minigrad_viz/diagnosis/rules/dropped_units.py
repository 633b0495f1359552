"""A dropout that drops everything."""

from __future__ import annotations

from ..syntax import as_code
from .evidence import Evidence
from .rule import Match, Rule, Words

NEARLY_ALL = 0.95


def find(evidence: Evidence) -> Match | None:
    for name, module in evidence.modules:
        for path, inner in module.named_modules():
            kind = type(inner).__name__
            chance = getattr(inner, "p", 0)
            if "Dropout" in kind and inner.training and chance >= NEARLY_ALL:
                full = f"{name}.{path}".rstrip(".")
                key = "drops_all" if chance == 1 else "drops_most"
                effect = evidence.context.say(key, share=f"{chance:.0%}")
                parts = {"name": full, "kind": kind, "p": f"{chance:g}", "effect": effect}
                parts["code"] = as_code(full)
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
            "`{name}` ({kind}) has p={p}, the chance to drop: it drops {effect}.",
            "Write `{code}.p = 0.2`, or give that p where it is made.",
        ),
        "zh": Words(
            "dropout 丢掉了一切",
            "`{name}`（{kind}）的 p={p} 是丢弃的概率：它丢掉{effect}。",
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
