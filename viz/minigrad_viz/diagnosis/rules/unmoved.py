"""Steps that leave every parameter as it was, though their gradients are not zero."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.either_library import version_of
from ..examination import Examination
from ..observed import checksum
from ..reachable import held_by
from .evidence import rates
from .programs import STEPS, training
from .rule import Match, Rule, Words
from .steps import about, of_steps


@of_steps
def find(exam: Examination) -> Iterator[Match]:
    """Find optimizers that stepped on gradients and changed no number that they hold."""
    for optimizer in exam.stepped:
        held = [w for p in held_by(optimizer) if (w := exam.seen.watched.get(id(p))) is not None]
        moved = [w for w in held if w.sizes and all(s.largest > 0 for s in w.sizes)]
        if len(moved) < max(1, len(held)) or not exam.several_iterations:
            continue
        if all(checksum(w.tensor) == w.first_checksum > 0 for w in held):
            written = any(version_of(w.tensor) != w.version for w in held)
            most = max(s.largest for w in held for s in w.sizes)
            parts = {"optimizer": exam.name(optimizer), "size": f"{most:.1e}"}
            parts |= {"rate": ", ".join(f"{rate:g}" for rate in rates(optimizer))}
            if written and most > COUNTS:
                yield about(exam, held, **parts)


COUNTS = 1e-3
"""A gradient below this may be that of a model that has learned."""


PROGRAM = training(
    before="first = {{name: t.clone() for name, t in net.state_dict().items()}}",
    steps=STEPS
    + "\nwith T.no_grad():\n    for name, p in net.named_parameters():\n        p.copy_({new})",
)

RULE = Rule(
    key="unmoved",
    chapter="14",
    en=Words(
        "steps that change nothing",
        "{names}: `{optimizer}` stepped with a rate of {rate} on gradients up to {size}, and they "
        "hold the same numbers as before.",
        "Take a larger learning rate, or look for a line that puts the former numbers back.",
    ),
    zh=Words(
        "什么也不改变的更新",
        "{names}：`{optimizer}` 以学习率 {rate} 更新，梯度最大为 {size}，而它们的数值和以前一样。",
        "请增大学习率，或者找出把原来的数值放回去的那一行。",
    ),
    find=find,
    broken=PROGRAM.format(new="first[name]"),
    sound=PROGRAM.format(new="0.9 * p"),
    watched=True,
)
