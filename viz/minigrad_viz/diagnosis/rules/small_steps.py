"""Steps that move no weight by a share of its size that counts, and a loss that is a guess's."""

from __future__ import annotations

import math
from typing import Any

from ...model.either_library import version_of
from ...model.program_text import Statement
from ..observed import largest
from ..reachable import held_by
from .evidence import Evidence
from .outcome import outcome
from .programs import training
from .rule import Match, Rule, Words

FEW = 1e-5
"""Steps of a smaller share of each weight change nothing in a thousand of them."""

CUT = 1e-3
"""Gradients of a smaller share of what the passes brought were cut before the step."""

SLOW = 1e-4
"""A smaller rate is to blame, and this one if many steps have moved nothing."""


def find(evidence: Evidence) -> Match | None:
    """Find the optimizer of all leaves, its steps as shares of the weights, and a guess's loss."""
    learned = [leaf for leaf in evidence.leaves if id(leaf) in evidence.held]
    if len(evidence.stepping) != 1 or not learned or len(learned) < len(evidence.leaves):
        return None
    name, optimizer = evidence.stepping[0]
    shares = [*shares_of(evidence, optimizer)]
    rate = max(float(group["lr"]) for group in optimizer.param_groups)
    tiny = bool(shares) and rate <= SLOW and is_still(evidence, max(shares))
    if not shares or (not 0 < max(shares) < FEW and not tiny):
        return None
    found = outcome(evidence)
    if found is None or not (tiny or found.learned_nothing):
        return None
    if found.value < LITTLE * found.guess:
        return None
    context = evidence.context
    parts: dict[str, object] = {"optimizer": name, "share": f"{max(shares):.1g}"}
    parts |= {"value": f"{found.value:.4g}", "guess": f"{found.guess:.4g}", "y": found.labels}
    size = max(evidence.gradient(p) for p in held_by(optimizer) if evidence.gradient(p) > 0)
    parts |= {"rate": f"{rate:g}", "size": f"{size:.1g}"}
    parts["where"] = context.where(context.program.assignment(name))
    writing = writing_line(evidence)
    key = "steps_rate"
    if rate >= SLOW and not tiny:
        key = "steps_written" if writing is not None else "steps_gradient"
        parts["line"] = "" if writing is None else context.line(writing)
        parts["brought"] = f"{brought(evidence):.1g}"
    return Match({**parts, "cure": context.say(f"cure_{key}", **parts)}, (name,))


def is_still(evidence: Evidence, share: float) -> bool:
    """Return whether many steps of a share have moved no weight by a share that counts."""
    count = max((version_of(leaf) for leaf in evidence.leaves), default=0)
    return count >= MANY and count * share < MOVED


MANY, MOVED, LITTLE = 100, 0.05, 0.9
"""Steps, what they move of a weight in all, and the share of a guess that the loss still is."""


def shares_of(evidence: Evidence, optimizer: Any) -> list[float]:
    """Return for each weight how far a step moves it, as a share of its largest element."""
    shares: list[float] = []
    for group in optimizer.param_groups:
        for each in group["params"]:
            gradient, weight = evidence.gradient(each), largest(each)
            if not gradient > 0 or not weight > 0:
                continue
            if type(optimizer).__name__ == "SGD":
                moved = float(group["lr"]) * gradient / (1 - min(0.99, group.get("momentum", 0.0)))
            elif type(optimizer).__name__ in OF_A_RATE:
                moved = float(group["lr"])
            else:
                return []
            shares.append(moved / weight)
    return shares


OF_A_RATE = ("Adam", "AdamW", "NAdam", "RAdam", "RMSprop")
"""Optimizers that move each weight by about the rate, whatever its gradient."""


def brought(evidence: Evidence) -> float:
    """Return the largest gradient that watched passes brought, or NaN."""
    seen = evidence.seen
    known = [] if seen is None else [w.brought for w in seen.watched.values() if w.passes]
    return max(known, default=math.nan)


def writing_line(evidence: Evidence) -> Statement | None:
    """Return the line of the loop that writes to gradients, if there is one."""
    lines = (s for s in evidence.repeated if ".grad" in s.text or "clip_grad" in s.text)
    return next((s for s in lines if any(word in s.text for word in WRITING)), None)


WRITING = ("clamp", "clip", "_(", "*=", "/=", "-=", "+=", ".grad =")

PROGRAM = training(
    opt="T.optim.SGD(net.parameters(), lr={rate})",
    data="",
    before="x = T.randn(40, 3)\ny = 5 * x[:, :1] - x[:, 1:2]",
    inside="loss = T.nn.functional.mse_loss(net(x), y)",
    turns="range(6)",
)

RULE = Rule(
    key="small_steps",
    chapter="14",
    en=Words(
        "steps that are too small",
        "A step of `{optimizer}`{where} moves no weight by more than {share} of its size (1e-3 is "
        "usual), and the loss {value} is not or hardly better than a guess that knows `{y}` alone, "
        "{guess}.",
        "{cure}",
    ),
    zh=Words(
        "步子太小",
        "`{optimizer}`{where}的一步对任何权重的改动都不超过它大小的 {share}（通常是 1e-3），而损失 "
        "{value} 几乎不比只看 `{y}` 的猜测（{guess}）好。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(rate=1e-7),
    sound=PROGRAM.format(rate=0.1),
    before=("unmoved", "not_learned"),
)
