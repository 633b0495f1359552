"""Parameters with gradients that no optimizer holds, and optimizers that never step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..examination import Examination, has_hooks
from ..objects import is_module
from ..observed import Watched
from ..reachable import held_by
from .programs import training
from .replaced import find_watched
from .rule import Match, Rule, Words
from .steps import LOOP, PLAIN, about, of_steps


@of_steps
def find_not_held(exam: Examination) -> Iterator[Match]:
    outside = {id(p) for module, _ in exam.unregistered for p in module.parameters()}
    found: dict[int, Watched] = {}
    for _, module in exam.things:
        if not is_module(module) or id(module) not in exam.seen.called:
            continue
        parameters = list(module.parameters())
        if not any(id(p) in exam.moved for p in parameters):
            continue
        for p in parameters:
            watched = exam.seen.watched.get(id(p))
            if watched is None or not watched.passes or not p.requires_grad or id(p) in outside:
                continue
            if id(p) not in exam.held and exam.is_unchanged(watched) and not has_hooks(watched):
                found[id(p)] = watched
    elsewhere = {name for each in find_watched(exam) for name in each.names}
    left = [w for w in found.values() if exam.name(w.tensor) not in elsewhere]
    if left:
        yield about(exam, left)


@of_steps
def find_no_step(exam: Examination) -> Iterator[Match]:
    """Find optimizers that get gradients and never step, nor could by the program's text."""
    for optimizer in exam.seen.optimizers.values():
        name = exam.name(optimizer)
        watched = [exam.seen.watched.get(id(p)) for p in held_by(optimizer)]
        if id(optimizer) in exam.seen.stepped:
            continue
        if not all(w and w.passes and exam.is_unchanged(w) for w in watched):
            continue  # the program updates them by hand
        if (
            watched
            and exam.several_iterations
            and never_steps(name.rpartition(".")[2], exam.sources)
        ):
            yield about(exam, [name], iterations=exam.seen.iteration, instead=f"{name}.step()")


HARMLESS = {"zero_grad", "param_groups", "state", "state_dict", "load_state_dict"}
"""Attributes of an optimizer that do not step."""


def never_steps(name: str, sources: list[str]) -> bool:
    """Return whether the program's uses of this optimizer are all known and none steps."""
    asked = False
    for source in sources:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return False
        fine: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in HARMLESS:
                fine.add(id(node.value))
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("LR"):
                fine |= {id(each) for each in node.args}
            called = getattr(node, "id", None) or getattr(node, "attr", None)
            if called == name and isinstance(node, ast.Name | ast.Attribute):
                asked = True
                if isinstance(node.ctx, ast.Load) and id(node) not in fine:
                    return False
    return asked


PROGRAM = training(
    first="body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)",
    net="T.nn.Sequential(body, T.nn.Tanh(), head)",
    opt="T.optim.SGD({held}.parameters(), lr=0.1)",
)

RULE = Rule(
    key="not_held",
    severity=2,
    chapter="15",
    en=Words(
        "not in an optimizer",
        "{names}: they get gradients, but no optimizer holds them, so they never move.",
        "Give them to the optimizer; or, if they are to stay as they are, call "
        "`.requires_grad_(False)`, which saves the work.",
    ),
    zh=Words(
        "不在任何优化器中",
        "{names}：得到梯度，但没有优化器持有它们，所以永远不会更新。",
        "请把它们交给优化器；如果它们应保持不变，请调用 `.requires_grad_(False)`，可以省去计算。",
    ),
    find=find_not_held,
    broken=PROGRAM.format(held="head"),
    sound=PROGRAM.format(held="net"),
    watched=True,
)

NO_STEP = Rule(
    key="no_step",
    chapter="11",
    en=Words(
        "no step",
        "{names}: its parameters got gradients in {iterations} steps, and it never stepped, so "
        "they do not move.",
        "Call `{instead}` after `backward()`.",
    ),
    zh=Words(
        "没有更新",
        "{names}：{iterations} 步都算出了梯度，却从未更新，所以参数没有变。",
        "请在 `backward()` 之后调用 `{instead}`。",
    ),
    find=find_no_step,
    broken=LOOP.format(before="", inside="loss.backward()"),
    sound=PLAIN,
    watched=True,
)
