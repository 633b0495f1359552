"""A label that few samples have, and a loss that is still about that of a guess."""

from __future__ import annotations

import numpy as np

from ...model.either_library import version_of
from ..ended import module_names
from .evidence import Evidence
from .not_learned import PASSES
from .other_labels import arrays
from .outcome import complete, curve_of, outcome
from .programs import training
from .rule import Match, Rule, Words

RARE, LITTLE = 0.1, 0.5
"""Share of the samples with a rare label, and of a guess's loss from which on it is not learned."""


def find(evidence: Evidence) -> Match | None:
    """Find two labels, one of them rare and not weighed, and a loss near that of a guess."""
    count = len(curve_of(evidence))
    if evidence.seen is None:
        count = max((version_of(leaf) for leaf in evidence.leaves), default=0)
    found = outcome(evidence) if count >= PASSES else None
    if found is None:
        return None
    known = arrays(evidence)
    labels = complete(evidence, known[found.inputs], known[found.labels])[1].ravel()
    values, counts = np.unique(labels, return_counts=True)
    share = float(counts.min()) / len(labels)
    if len(values) != 2 or share >= RARE or found.value < LITTLE * found.guess:
        return None
    parts = {"y": found.labels, "share": f"{share:.1%}", "rare": f"{values[counts.argmin()]:g}"}
    parts |= {"most": f"{1 - share:.1%}", "value": f"{found.value:.3g}"}
    parts |= {"guess": f"{found.guess:.3g}", "other": f"{values[counts.argmax()]:g}"}
    weight = f"{counts.max() / counts.min():.3g}"
    many = labels.dtype.kind in "iu"
    chosen = f"[1.0, {weight}]" if counts[0] > counts[1] else f"[{weight}, 1.0]"
    library = module_names(evidence.context)["library"]
    option = f"weight={library}.tensor({chosen})"
    parts["instead"] = option if many else f"pos_weight={library}.tensor({weight})"
    return Match(parts, (found.labels,))


PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    opt="T.optim.SGD(net.parameters(), lr=0.05)",
    data="",
    before="x = T.randn(200, 3)\ny = (x[:, 0] > {above}).long()",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
    turns="range(40)",
)

RULE = Rule(
    key="rare_label",
    severity=2,
    chapter="16",
    en=Words(
        "a label that is rare",
        "Only {share} of `{y}` are {rare}: who always says {other} is right in {most}, and the "
        "loss {value} is near that of such a guess, {guess}.",
        "Give the loss `{instead}`, or draw rare samples more often, and judge by the share of "
        "{rare} that is found.",
    ),
    zh=Words(
        "罕见的标签",
        "`{y}` 中只有 {share} 是 {rare}：总说 {other} 也有 {most} 正确，而损失 {value} 接近这种猜测"
        "的损失 {guess}。",
        "请给损失 `{instead}`，或更多地抽取罕见样本，并以找到了多少 {rare} 来评判。",
    ),
    find=find,
    broken=PROGRAM.format(above="1.8"),
    sound=PROGRAM.format(above="0"),
    before=("not_learned",),
)
