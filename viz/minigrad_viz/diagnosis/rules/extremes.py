"""Settings at the end of their range: a momentum of 1, and labels smoothed to nothing."""

from __future__ import annotations

import ast
import re
from typing import Any

from ..syntax import calls_in, written_number
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .settings import groups


def find_momentum(evidence: Evidence) -> Match | None:
    """Find an optimizer whose momentum is 1 or larger: it never slows down."""
    for name, group in groups(evidence):
        momentum = group.get("momentum") or 0
        if isinstance(momentum, int | float) and momentum >= 1:
            where = evidence.context.where(evidence.context.program.assignment(name))
            return Match({"optimizer": name, "where": where, "number": f"{momentum:g}"}, (name,))
    return None


def find_betas(evidence: Evidence) -> Match | None:
    """Find an Adam whose second average is shorter than its first."""
    for name, group in groups(evidence):
        betas = group.get("betas")
        if isinstance(betas, tuple | list) and len(betas) == 2 and 0.95 < betas[0] > betas[1]:
            where = evidence.context.where(evidence.context.program.assignment(name))
            parts = {"optimizer": name, "where": where, "one": f"{betas[0]:g}"}
            return Match({**parts, "two": f"{betas[1]:g}"}, (name,))
    return None


def find_smoothing(evidence: Evidence) -> Match | None:
    """Find labels that are smoothed until the right class has less than the rest."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            made: Any = evidence.object(call.func)
            own = {k: v for k, v in getattr(made, "__dict__", {}).items() if SMOOTHING_OF.search(k)}
            own |= {w.arg: written_number(w.value) for w in call.keywords
                    if w.arg and SMOOTHING_OF.search(w.arg)}  # fmt: skip
            for name, number in own.items():
                large = (type(number) is float and 0.5 < number <= 1) or number == 1
                if large and is_called(call, made) and takes_logarithms(evidence):
                    parts = {"line": evidence.context.line(statement), "name": name}
                    less = evidence.context.say(
                        "cure_smoothing", name=name, one=f"{1 - number:.3g}"
                    )
                    none = evidence.context.say("cure_smoothing", name=name, one="0.1")
                    cure = less if 0 < 1 - number < 0.5 else none
                    return Match({**parts, "number": f"{number:g}", "cure": cure})
    return None


SMOOTHING_OF = re.compile(r"smoothing$|^smooth_?(factor|eps|rate)$", re.I)
"""Names of the share that other classes get."""


def takes_logarithms(evidence: Evidence) -> bool:
    return any(evidence.kind(n) in ("LogSoftmax", "Log", "NllLoss") for n in evidence.nodes)


def is_called(call: ast.Call, made: object) -> bool:
    """Return whether this is a call with the scores and labels, not the making of a loss."""
    return len(call.args) > 1 and not isinstance(made, type)


STEPS = training(opt="T.optim.SGD(net.parameters(), lr=0.01, momentum={momentum})")

MOMENTUM = Rule(
    key="momentum_of_one",
    chapter="15",
    en=Words(
        "a momentum that never slows down",
        "The momentum of `{optimizer}`{where} is {number}: every former gradient counts for ever, "
        "so the steps swing wider and wider.",
        "Take one below 1, such as `momentum=0.9`.",
    ),
    zh=Words(
        "动量从不衰减",
        "`{optimizer}`{where}的 momentum 是 {number}：以前的每个梯度永远有效，所以更新越摆越大。",
        "请用小于 1 的值，例如 `momentum=0.9`。",
    ),
    find=find_momentum,
    broken=STEPS.format(momentum=1.0),
    sound=STEPS.format(momentum=0.9),
    before=("exploding",),
)

CLASSES = training(
    net="T.nn.Linear(3, 4)",
    data="T.randn(8, 3), T.tensor([0, 1, 2, 3] * 2)",
    before="criterion = T.nn.CrossEntropyLoss(label_smoothing={smoothing})",
    inside="loss = criterion(net(x), y)",
)

SMOOTHING = Rule(
    key="smoothed_away",
    chapter="16",
    en=Words(
        "labels that are smoothed away",
        "The loss in {line} has {name}={number}: that is the share of the other classes, so the "
        "target says next to nothing of the label.",
        "{cure}",
    ),
    zh=Words(
        "标签被完全平滑掉",
        "{line}的损失设置了 {name}={number}：这是其他类别的份额，所以目标几乎不反映标签。",
        "{cure}",
    ),
    find=find_smoothing,
    broken=CLASSES.format(smoothing=1.0),
    sound=CLASSES.format(smoothing=0.1),
)

ADAM = training(opt="T.optim.Adam(net.parameters(), betas={betas})")

BETAS = Rule(
    key="betas_swapped",
    severity=2,
    chapter="15",
    en=Words(
        "betas in the wrong order",
        "The betas of `{optimizer}`{where} are ({one}, {two}): the average of gradients is longer "
        "than that of their squares, so its steps lag and overshoot.",
        "Exchange them: `betas=({two}, {one})`.",
    ),
    zh=Words(
        "betas 的次序反了",
        "`{optimizer}` 的 betas{where}是 ({one}, {two})：梯度的平均比其平方的平均还长，所以更新滞"
        "后、冲过头。",
        "请对调：`betas=({two}, {one})`。",
    ),
    find=find_betas,
    broken=ADAM.format(betas=(0.999, 0.9)),
    sound=ADAM.format(betas=(0.9, 0.999)),
)
