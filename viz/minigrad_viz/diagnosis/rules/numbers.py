"""Parameters that explode, or become NaN or infinite."""

from __future__ import annotations

from collections.abc import Iterator

from ..examination import Examination
from ..observed import LARGE, finite
from .data_scale import far_data
from .evidence import Evidence
from .rule import Match, Rule, Words
from .steps import LOOP, PLAIN, about, of_steps


@of_steps
def find_nan_before(exam: Examination) -> Iterator[Match]:
    found = [w for w in exam.seen.watched.values() if not (w.finite or finite(w.tensor))]
    if found:
        yield about(exam, found)


def find_exploding(evidence: Evidence) -> Iterator[Match]:
    exam = evidence.exam
    if exam is None:
        return
    found = []
    for watched in exam.seen.watched.values():
        if watched.jump is not None:
            if any(LARGE < s.largest < float("inf") for s in watched.sizes):
                found.append(watched)
    if found:
        first = max(found, key=lambda w: max(s.largest for s in w.sizes))
        before, after = first.jump or (0.0, 0.0)
        parts = {"name": exam.name(first.tensor), "before": f"{before:.2g}"}
        parts |= {"after": f"{after:.2g}", "size": f"{max(s.largest for s in first.sizes):.1e}"}
        far = far_data(evidence, FAR)
        said = exam.context.say("cure_exploding") if far is None else say_far(evidence, far)
        yield about(exam, found, cure=said, **parts)


def say_far(evidence: Evidence, far: dict[str, str]) -> str:
    """Return sentences about data far from 1, and the line that scales them."""
    say = evidence.context.say
    keys = ("nan_by_data", "cure_nan_by_data")
    return say("space").join(say(key, **far) for key in keys)


@of_steps
def find_nan(exam: Examination) -> Iterator[Match]:
    seen = exam.seen
    found = [w for w in seen.watched.values() if w.finite and not finite(w.tensor)]
    if not found:
        return
    sentences = [exam.say("nan_step" if not seen.later else "nan_later")]
    if seen.late_nan is not None and seen.origin is None:
        sentences = [exam.say("nan_iteration", iteration=seen.late_nan[0]), *seen.late_nan[1]]
    elif seen.origin is not None:
        thing = seen.origin.thing
        parts = {"name": exam.name(thing), "kind": type(thing).__name__}
        sentences = [exam.say(f"nan_{seen.origin.kind}", **parts), *seen.origin.sentences]
    yield about(exam, found, *sentences)


FAR = 300.0
"""Data beyond this make gradients a hundred thousand times as large."""

STEP = "loss.backward()\n    opt.step()"

BEFORE = Rule(
    key="nan_before",
    chapter="16",
    en=Words(
        "NaN or infinity",
        "{names} had numbers that are not finite before the first step.",
        "",
    ),
    zh=Words(
        "NaN 或无穷",
        "{names} 在第一步之前就含有非有限值。",
        "",
    ),
    find=find_nan_before,
    broken=LOOP.format(before='net[2].bias.data.fill_(float("inf"))', inside=STEP),
    sound=LOOP.format(before="net[2].bias.data.fill_(0.0)", inside=STEP),
    before=("nan",),
    watched=True,
)

EXPLODING = Rule(
    key="exploding",
    chapter="14",
    en=Words(
        "exploding gradients",
        "{names}: one step took the largest element of `{name}` from {before} to {after}, for its "
        "gradient was {size}.",
        "{cure}",
    ),
    zh=Words(
        "梯度爆炸",
        "{names}：一步就使 `{name}` 的最大元素从 {before} 变成 {after}，因为它的梯度是 {size}。",
        "{cure}",
    ),
    find=find_exploding,
    broken=LOOP.format(before="x, net[1] = 1e5 * x, T.nn.Identity()", inside=STEP),
    sound=PLAIN,
    before=("nan",),
    watched=True,
)

NAN = Rule(
    key="nan",
    chapter="16",
    en=Words(
        "NaN or infinity",
        "{names} became NaN or infinite.",
        "",
    ),
    zh=Words(
        "NaN 或无穷",
        "{names} 变成了 NaN 或无穷。",
        "",
    ),
    find=find_nan,
    broken=LOOP.format(before="", inside="loss = (loss - loss).sqrt()\n    " + STEP),
    sound=PLAIN,
    watched=True,
)
