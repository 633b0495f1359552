"""A loss that many passes have not brought below that of a guess."""

from __future__ import annotations

import math
import re

from ...model.either_library import version_of
from ...model.program_text import Statement
from ..ended import module_names
from ..observed import checksum
from .evidence import Evidence, rates
from .other_labels import arrays
from .outcome import Outcome, curve_of, is_left, outcome
from .programs import training
from .rule import Match, Rule, Words
from .small_steps import writing_line

PASSES = 30
"""Passes from which on something should have been learned."""


def find(evidence: Evidence) -> Match | None:
    """Find a loss of many passes, or after many steps, that is no better than a guess."""
    curve, count = curve_of(evidence), passes_of(evidence)
    found = outcome(evidence) if count >= PASSES else None
    if found is None or not found.learned_nothing:
        return None
    say = evidence.context.say
    ends = {"first": f"{curve[0]:.4g}", "count": count} if curve else {"count": count}
    parts: dict[str, object] = {"x": found.inputs, "y": found.labels, "lines": found.lines}
    parts |= {"value": f"{found.value:.4g}", "guess": f"{found.guess:.4g}"}
    parts["passes"] = say("passes_seen" if curve else "steps_counted", **ends)
    key, more = reason_of(evidence, found, curve)
    parts["what"] = say("what_term" if found.term else "what_loss", term=found.term)
    return Match(
        {**parts, "cure": say(f"cure_{key}", **parts, **more)}, (found.inputs, found.labels)
    )


def passes_of(evidence: Evidence) -> int:
    """Return the number of watched passes, or the number of times that weights were written."""
    if evidence.seen is None:
        return max((version_of(leaf) for leaf in evidence.leaves), default=0)
    curve = curve_of(evidence)
    return len(curve) if math.isfinite(sum(curve)) else 0


def reason_of(
    evidence: Evidence, found: Outcome, curve: list[float]
) -> tuple[str, dict[str, object]]:
    """Return the key of a sentence with what else was measured, and its parts."""
    context = evidence.context
    name, optimizer = evidence.stepping[0] if evidence.stepping else ("", None)
    parts: dict[str, object] = {"optimizer": name}
    parts["where"] = context.where(context.program.assignment(name)) if name else ""
    if left := [leaf for leaf in evidence.leaves if evidence.held and is_left(evidence, leaf)]:
        names = dict.fromkeys(f"`{evidence.name(leaf)}`" for leaf in left)
        return "not_learned_left", {**parts, "names": context.say("and").join([*names][:3])}
    if found.term:
        name = evidence.context.name(evidence.root)
        line = context.program.assignment(name)
        parts |= {"term": found.term, "loss": name, "where": context.where(line)}
        return "not_learned_term", parts
    if evidence.seen is not None and (still(evidence) or len({*curve}) == 1):
        line = undoing_line(evidence) or next(iter(evidence.passes), None)
        parts["line"] = "" if line is None else context.line(line)
        return "not_learned_still" if still(evidence) else "not_learned_undone", parts
    if optimizer is not None and found.value > WORSE * found.guess:
        return "not_learned_worse", {**parts, "rate": f"{max(rates(optimizer), default=0):g}"}
    words = arrays(evidence)[found.inputs]
    if words.dtype.kind in "iu":
        inside = [type(each).__name__ for _, m in evidence.modules for each in m.modules()]
        most = int(words.max())
        parts |= {"most": most, "count": most + 1, "nn": module_names(context)["nn"]}
        named = words.ndim == 2 and most >= FEWEST and "Embedding" not in " ".join(inside)
        return "not_learned_ids" if named else "not_learned_few", parts
    return "not_learned_data" if found.unrelated and found.lines else "not_learned_few", parts


FEWEST = 3
"""Numbers from which on words are no marks of yes and no."""


WORSE = 2.0
"""A loss above this many guesses comes of steps or weights that are too large."""


def still(evidence: Evidence) -> bool:
    """Return whether no leaf has changed since the first watched step."""
    known = [evidence.watched(leaf) for leaf in evidence.leaves]
    return all(w is not None and checksum(w.tensor) == w.first_checksum for w in known)


def undoing_line(evidence: Evidence) -> Statement | None:
    """Return a line that writes weights or gradients."""
    lines = (*evidence.repeated, *evidence.written)
    return writing_line(evidence) or next((s for s in lines if UNDOING.search(s.text)), None)


UNDOING = re.compile(r"load_state_dict\(|\.copy_\(|\.data = |reset_parameters\(|deepcopy\(")

PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    opt="T.optim.SGD(net.parameters(), lr=0.5)",
    data="",
    before="x = T.randn(120, 3)\ny = (x[:, 0] > 0).long()\nx = x[{order}]",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
    turns="range(40)",
)

RULE = Rule(
    key="not_learned",
    severity=2,
    chapter="14",
    en=Words(
        "nothing learned",
        "{passes}, {what} {value} is no better than a guess that knows `{y}` alone, {guess}.",
        "{cure}",
    ),
    zh=Words(
        "什么也没有学到",
        "{passes}，{what} {value} 并不比只看 `{y}` 的猜测（{guess}）好。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(order="T.arange(120).flip(0)"),
    sound=PROGRAM.format(order="T.arange(120)"),
)
