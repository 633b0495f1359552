"""Gradients that fade on their way through many activations."""

from __future__ import annotations

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

FADED = 1e-6
"""A weight's gradient has faded below this share of the largest gradient of a weight."""

SQUASHING = ("Sigmoid", "Tanh", "Softmax", "Hardsigmoid")
FEWEST = 4


def find(evidence: Evidence) -> Match | None:
    if evidence.seen is not None:
        return None  # diagnose/findings.py compares the watched gradients
    sizes = {id(w): evidence.gradient(w) for w in evidence.leaves if len(w.shape) > 1}
    known = {i: size for i, size in sizes.items() if 0 < size < float("inf")}
    squashing = [node for node in evidence.nodes if evidence.kind(node) in SQUASHING]
    if not known or len(squashing) < FEWEST:
        return None
    low, high = (chosen(known, key=lambda i: known[i]) for chosen in (min, max))
    if known[low] >= FADED * known[high]:
        return None
    names = {id(leaf): evidence.name(leaf) for leaf in evidence.leaves}
    parts = {"least": names[low], "size": f"{known[low]:.1e}", "count": len(squashing)}
    parts |= {"most": names[high], "other": f"{known[high]:.1e}"}
    parts["kind"] = evidence.kind(squashing[0])
    return Match(parts, (names[low],))


PROGRAM = training(
    first="layers = [part for _ in range({depth}) for part in (T.nn.Linear(4, 4), T.nn.Sigmoid())]",
    net="T.nn.Sequential(*layers, T.nn.Linear(4, 1))",
    data="T.randn(8, 4), T.randn(8, 1)",
)

RULE = Rule(
    key="faded",
    chapter="16",
    en=Words(
        "gradients that fade",
        "The largest element of the gradient of `{least}` is {size}, that of `{most}` {other}: it "
        "fades on the way through {count} activations ({kind}), so the first layers do not learn.",
        "Use ReLU, normalization or residual connections in their place.",
    ),
    zh=Words(
        "梯度逐层消失",
        "`{least}` 的梯度中最大的元素是 {size}，`{most}` 的是 {other}：梯度穿过 {count} 个激活函数"
        "（{kind}）时逐渐消失，所以前面的层不学习。",
        "请改用 ReLU、归一化或残差连接。",
    ),
    find=find,
    broken=PROGRAM.format(depth=12),
    sound=PROGRAM.format(depth=2),
)
