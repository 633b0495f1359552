"""An optimizer that still holds the parameters that stood there before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.program_text import receivers
from ..examination import Examination
from ..objects import is_module
from ..observed import Watched
from ..reachable import held_by
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, holds, optimizer_of


def find(evidence: Evidence) -> Iterable[Match]:
    """Find an optimizer that holds parameters which no module has any more."""
    return find_afterwards(evidence) if evidence.exam is None else find_watched(evidence.exam)


def find_afterwards(evidence: Evidence) -> Iterator[Match]:
    """Find tensors without name or gradient in an optimizer, and parameters that none holds."""
    fresh = [p for p in evidence.leaves if id(p) not in evidence.held and p.grad is not None]
    fresh = [p for p in fresh if type(p).__name__ == "Parameter" and id(p) in evidence.names]
    shapes = [tuple(p.shape) for p in fresh]
    passes = [
        s for s in evidence.passes if evidence.name(evidence.root) in receivers(s, "backward")
    ]
    around = {loop for s in passes or evidence.passes[-1:] for loop in s.loops[-1:]}
    stepping = evidence.stepping if fresh else ()
    steps = {n: {loop for s in evidence.calls("step", n) for loop in s.loops} for n, _ in stepping}
    for name, optimizer in sorted(stepping, key=lambda each: not steps[each[0]] & around):
        stale = [t for t in held_by(optimizer) if id(t) not in evidence.names and t.grad is None]
        if stale and (len(stale) == len(fresh) or any(tuple(t.shape) in shapes for t in stale)):
            made = evidence.context.program.assignment(name)
            shown = [f"`{evidence.name(p)}`" for p in fresh[:MOST]]
            parts = {"names": ", ".join(shown), "optimizer": name}
            parts["where"] = evidence.context.where(made)
            yield Match(parts, tuple(evidence.name(p) for p in fresh))
            return


MOST = 3
"""Parameters that are named."""


def find_watched(exam: Examination) -> Iterator[Match]:
    stale = [w for w in exam.without_gradient() if is_unreachable(exam, w)]
    seen = exam.seen.watched.values()
    twins = [w for w in seen if w.passes and id(w.tensor) not in exam.held and exam.calls_of(w)]
    if not twins or not stale or not take_place_of(exam, stale, twins):
        return
    optimizer = optimizer_of(exam, stale)
    made = exam.context.program.assignment(optimizer) if optimizer.isidentifier() else None
    yield about(exam, twins, optimizer=optimizer, where=exam.where(made))


def take_place_of(exam: Examination, stale: list[Watched], twins: list[Watched]) -> bool:
    """Return whether the `twins` stand where the `stale` parameters stood.

    They have the same shapes. Or their number is the same, and the optimizer also holds the rest of
    their model.
    """
    shapes = [tuple(w.tensor.shape) for w in twins]
    if all(tuple(w.tensor.shape) in shapes for w in stale):
        return True
    held = {id(p) for o in exam.stepped if holds(o, stale[0]) for p in held_by(o)}
    fresh = {id(w.tensor) for w in twins}
    dimensions = [len(w.tensor.shape) for w in stale]
    for _, module in exam.things:
        if is_module(module) and dimensions == [len(shape) for shape in shapes]:
            parameters = {id(p) for p in module.parameters() if p.requires_grad}
            if fresh <= parameters and parameters - fresh <= held:
                return True
    return False


def is_unreachable(exam: Examination, watched: Watched) -> bool:
    """Return whether no module and no variable but that of a loop has the parameter."""
    name = exam.names.get(id(watched.tensor), "")
    made = exam.context.program.assignment(name) if name else None
    left = not name or (made is not None and made.text.startswith("for "))
    return left and id(watched.tensor) not in exam.owners


PROGRAM = training(
    first="net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))\n{before}",
    net="",
    before="{after}",
)

RULE = Rule(
    key="held_elsewhere",
    chapter="15",
    en=Words(
        "parameters replaced",
        "{names}: used, and not held by the optimizer `{optimizer}`{where}, which still holds "
        "those that stood there before and that nothing uses any more.",
        "Make the optimizer after the last change to the model.",
    ),
    zh=Words(
        "参数被替换",
        "{names}：被用到，却不在优化器 `{optimizer}` 中{where}；它持有的仍是原来在那里、已无人使用"
        "的参数。",
        "请在模型最后一次改动之后再创建优化器。",
    ),
    find=find,
    broken=PROGRAM.format(before="", after="net[2] = T.nn.Linear(4, 1)"),
    sound=PROGRAM.format(before="net[2] = T.nn.Linear(4, 1)", after=""),
    before=("frozen",),
)
