"""Parameters that an optimizer moves and that no gradient reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.program_text import Statement
from ..causes import Context
from ..ended import describe, explain_lost
from ..examination import Examination
from ..history import History
from ..observed import Watched
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, of_steps, optimizer_of


@of_steps
def find_cut(exam: Examination) -> Iterator[Match]:
    groups: dict[tuple[str, ...], list[Watched]] = {}
    for watched in exam.without_gradient():
        calls = exam.calls_of(watched)
        # The call of the iteration after the last pass may be the first.
        known = any(c.recorded and (c.before or 0) < len(exam.seen.passes) for c in calls)
        named = id(watched.tensor) in exam.names and not exam.owners.get(id(watched.tensor))
        if not required(exam, watched) or not (known or named) or not exam.several_iterations:
            continue
        sentences: list[str] = []
        if exam.seen.root is not None:
            sentences = explain_way(exam.context, watched.tensor, exam.seen.root)
        groups.setdefault(tuple(sentences), []).append(watched)
    for more, found in groups.items():
        optimizer = optimizer_of(exam, found)
        yield about(exam, found, *more, optimizer=optimizer, iterations=exam.seen.iteration)


def required(exam: Examination, watched: Watched) -> bool:
    """Return whether a parameter requires grad, and did in the watched steps."""
    return watched.tensor.requires_grad and watched in exam.seen.hooked


def explain_way(context: Context, t: Any, root: Any) -> list[str]:
    """Explain where the path from the root to `t` ends, by the graph and the program's text."""
    if context.names.of(root) is not None:
        missing = context.explain_missing(t, root)
        if missing.cause == "always_returned_none":
            return missing.sentences
        return explain_lost(context, t, root)[1] or missing.sentences[1:]

    def leads(tensor: Any) -> bool:
        return tensor is t or bool(tensor.requires_grad and context.reaches(tensor, t))

    history = History(leads, context.running, leaves=False)
    fate = history.fate_of_root("")
    return describe(context, history, fate) if fate.kind == "cut" else []


@of_steps
def find_no_grad(exam: Examination) -> Iterator[Match]:
    found = []
    where: Statement | None = None
    for watched in exam.without_gradient():
        calls = exam.calls_of(watched)
        if required(exam, watched) and calls and not any(c.recorded for c in calls):
            found.append(watched)
            where = where or calls[0].place
    if found and exam.several_iterations:
        yield about(exam, found, where=exam.where(where))


@of_steps
def find_frozen(exam: Examination) -> Iterator[Match]:
    found = [w for w in exam.without_gradient() if not w.tensor.requires_grad and exam.seen.passes]
    if found:
        yield about(exam, found, optimizer=optimizer_of(exam, found))


MODEL = training(
    first="body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)",
    net="",
    opt="T.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)",
    before="{before}",
    inside="{inside}\nloss = (head(h) - y).pow(2).mean()",
)
"""Two layers, with places for what keeps the gradient from the first."""

SOUND = MODEL.format(before="", inside="h = body(x).tanh()")

CUT = Rule(
    key="cut",
    chapter="12",
    en=Words(
        "no gradient: not reached",
        "{names}: held by `{optimizer}` and used, and in {iterations} steps no backward pass came "
        "there.",
        "",
    ),
    zh=Words(
        "没有梯度：没有到达",
        "{names}：由 `{optimizer}` 持有，也参与了计算，但在 {iterations} 步中没有反向传播到达它"
        "们。",
        "",
    ),
    find=find_cut,
    broken=MODEL.format(before="", inside="h = T.tensor(body(x).tanh().tolist())"),
    sound=SOUND,
    watched=True,
)

NO_GRAD = Rule(
    key="no_grad",
    chapter="5",
    en=Words(
        "no gradient: not recorded",
        "{names}: held by the optimizer, and used{where} only while nothing was recorded, under "
        "no_grad or its like.",
        "To train them, move the call out of there; if they are to stay as they are, leave them "
        "out of the optimizer.",
    ),
    zh=Words(
        "没有梯度：没有记录",
        "{names}：由优化器持有，被用到时{where}却没有在记录，即在 no_grad 之类之中。",
        "要训练它们，请把这次调用移出来；如果它们应保持不变，就不要交给优化器。",
    ),
    find=find_no_grad,
    broken=MODEL.format(before="", inside="with T.no_grad():\n        h = body(x).tanh()"),
    sound=SOUND,
    watched=True,
)

FROZEN = Rule(
    key="frozen",
    chapter="15",
    en=Words(
        "no gradient: frozen",
        "{names}: held by `{optimizer}`, but requires_grad is False, so they never move.",
        "If that is meant, they can be left out of the optimizer; else call "
        "`requires_grad_(True)`.",
    ),
    zh=Words(
        "没有梯度：被冻结",
        "{names}：由 `{optimizer}` 持有，但 requires_grad 是 False，所以永远不会更新。",
        "如果这是有意的，可以不把它们交给优化器；否则请调用 `requires_grad_(True)`。",
    ),
    find=find_frozen,
    broken=MODEL.format(before="body.requires_grad_(False)", inside="h = body(x).tanh()"),
    sound=SOUND,
    watched=True,
)
