"""Gradients that are not cleared, cleared too early, or used twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..examination import Examination
from ..observed import Step
from .clearing import changed_by_hand, clearing_lines
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, first_steps, of_steps, step_parts


@of_steps
def find_not_cleared(exam: Examination) -> Iterator[Match]:
    for step in first_steps(exam, lambda step: step.summed):
        yield about(exam, step.summed, **step_parts(exam, step))


@of_steps
def find_not_cleared_by_hand(exam: Examination) -> Iterator[Match]:
    if exam.seen.optimizers:
        return
    for each in exam.seen.passes:
        if each.not_cleared:
            lines = exam.context.program.statements
            changing = next((s for s in lines if changed_by_hand(s)), None)
            name = changed_by_hand(changing) if changing is not None else ""
            parts = {"name": name or exam.name(each.not_cleared[0].tensor)}
            parts |= {"where": exam.where(changing), "iteration": str(each.iteration)}
            yield about(exam, each.not_cleared, **parts)
            return


@of_steps
def find_cleared_early(exam: Examination) -> Iterator[Match]:
    for step in first_steps(exam, lambda step: not (step.fresh or step.again) and step.emptied):
        lines = exam.context.program.statements
        name = exam.name(step.optimizer).rpartition(".")[2]
        found = [clearing for _, clearing, _ in clearing_lines(lines, name, set())]
        clearing = exam.context.line(found[0]) if found else "`zero_grad()`"
        yield about(exam, step.emptied, clearing=clearing, **step_parts(exam, step))


@of_steps
def find_taken_twice(exam: Examination) -> Iterator[Match]:
    def only_again(step: Step) -> Any:
        return step.again and not (step.fresh or step.summed)

    for step in first_steps(exam, only_again):
        yield about(exam, step.again, **step_parts(exam, step))


@of_steps
def find_doubled(exam: Examination) -> Iterator[Match]:
    for step in first_steps(exam, lambda step: step.doubled):
        root = step.doubled[0].text
        text = f"`{root}`" if root else exam.say("same_loss")
        yield Match({"root": text, "iteration": step.iteration}, (root,) if root else ())


def program(*steps: str) -> str:
    """Return a loop with these lines after its loss."""
    return training(steps="\n".join(steps))


CLEAR, WALK, STEP = "opt.zero_grad()", "loss.backward()", "opt.step()"

BY_HAND_LOOP = """
w = T.zeros(3, 1, requires_grad=True)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    loss = (x @ w - y).pow(2).mean()
    loss.backward()
    with T.no_grad():
        w -= 0.1 * w.grad
    {clearing}
"""

NOT_CLEARED = Rule(
    key="not_cleared",
    severity=2,
    chapter="4",
    en=Words(
        "gradients not cleared",
        "{names}: `{optimizer}` stepped{where} by the gradients of step {iteration} added to those "
        "that it had used before.",
        "Call `{optimizer}.zero_grad()` once for each step, before `backward()`.",
    ),
    zh=Words(
        "梯度没有清零",
        "{names}：`{optimizer}` 更新时{where}，用的是第 {iteration} 步的梯度加上以前没有清零的梯"
        "度。",
        "请每一步在 `backward()` 之前调用一次 `{optimizer}.zero_grad()`。",
    ),
    find=find_not_cleared,
    broken=program(WALK, STEP),
    sound=program(CLEAR, WALK, STEP),
    watched=True,
)

BY_HAND = Rule(
    key="not_cleared_by_hand",
    severity=2,
    chapter="4",
    en=Words(
        "gradients not cleared",
        "{names}: changed since the step before{where}, and the pass of step {iteration} adds to "
        "the gradients that were used then.",
        "Clear each after the change: `{name}.grad = None`.",
    ),
    zh=Words(
        "梯度没有清零",
        "{names}：在上一步之后被修改过{where}，而第 {iteration} 步的反向传播又加到当时用过的梯度之"
        "上。",
        "请在每次修改之后清除：`{name}.grad = None`。",
    ),
    find=find_not_cleared_by_hand,
    broken=BY_HAND_LOOP.format(clearing="print(i)"),
    sound=BY_HAND_LOOP.format(clearing="w.grad = None"),
    watched=True,
)

EARLY = Rule(
    key="cleared_early",
    chapter="11",
    en=Words(
        "gradients cleared too early",
        "{names}: a backward pass brought gradients, and when `{optimizer}` stepped{where} they "
        "were gone.",
        "Move {clearing} before `backward()` or after `step()`.",
    ),
    zh=Words(
        "梯度清零过早",
        "{names}：反向传播带来了梯度，而 `{optimizer}` 更新时{where}它们已经没有了。",
        "请把 {clearing} 移到 `backward()` 之前或 `step()` 之后。",
    ),
    find=find_cleared_early,
    broken=program(WALK, CLEAR, STEP),
    sound=program(WALK, STEP, CLEAR),
    watched=True,
)

TWICE = Rule(
    key="taken_twice",
    severity=2,
    chapter="11",
    en=Words(
        "gradients taken twice",
        "{names}: `{optimizer}` stepped{where} by gradients that it had already used, with no "
        "backward pass in between.",
        "If one step for each pass is meant, call `step()` once.",
    ),
    zh=Words(
        "梯度用了两次",
        "{names}：`{optimizer}` 更新时{where}用的是它已经用过的梯度，其间没有反向传播。",
        "如果本意是每次反向传播走一步，请只调用一次 `step()`。",
    ),
    find=find_taken_twice,
    broken=program(CLEAR, WALK, STEP, STEP),
    sound=program(CLEAR, WALK, STEP),
    watched=True,
)

DOUBLED = Rule(
    key="passed_twice",
    severity=2,
    chapter="4",
    en=Words(
        "gradients taken twice",
        "In step {iteration} two backward passes began at {root}, so its gradients count twice.",
        "Call `backward()` once.",
    ),
    zh=Words(
        "梯度用了两次",
        "在第 {iteration} 步中，两次反向传播始于{root}，所以它的梯度算了两次。",
        "请只调用一次 `backward()`。",
    ),
    find=find_doubled,
    broken=program(CLEAR, "loss.backward(retain_graph=True)", WALK, STEP),
    sound=program(CLEAR, WALK, STEP),
    watched=True,
)
