"""Steps of an optimizer without a backward pass before them."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.program_text import texts_of
from ..examination import Examination
from .rule import Match, Rule, Words
from .steps import LOOP, PLAIN, about, of_steps


def steps_without_pass(exam: Examination) -> Iterator[Match]:
    """Yield a match if optimizers stepped and no pass has brought a gradient."""
    seen, missing = exam.seen, exam.without_gradient()
    steps = [step for step in seen.steps if step.emptied or step.fresh or step.summed or step.again]
    if seen.steps and not seen.passes and not steps and missing:
        if all(w.tensor.grad is None for w in missing):
            yield about(exam, map(exam.name, exam.stepped), where=exam.where(seen.steps[0].place))


@of_steps
def find_no_pass(exam: Examination) -> Iterator[Match]:
    if not has_pass(exam):
        yield from steps_without_pass(exam)


@of_steps
def find_pass_elsewhere(exam: Examination) -> Iterator[Match]:
    if has_pass(exam):
        yield from steps_without_pass(exam)


def has_pass(exam: Examination) -> bool:
    """Return whether the text has a backward pass."""
    return any(".backward(" in text for text in [*exam.sources, *texts_of(exam.seen.caller)])


RULE = Rule(
    key="no_pass",
    chapter="11",
    en=Words(
        "no gradients",
        "{names} stepped{where}, but no backward pass has brought a gradient: call "
        "`loss.backward()` before it.",
        "",
    ),
    zh=Words(
        "没有梯度",
        "{names} 更新了一次{where}，但此前没有反向传播算出梯度：请先调用 `loss.backward()`。",
        "",
    ),
    find=find_no_pass,
    broken=LOOP.format(before="", inside="opt.step()"),
    sound=PLAIN,
    watched=True,
)

ELSEWHERE = Rule(
    key="pass_elsewhere",
    chapter="11",
    en=Words(
        "no gradients",
        "{names} stepped{where}, but no backward pass has reached its parameters. Either none ran "
        "before, or the loss has no history that leads to them: `viz.explain(loss)` says which.",
        "",
    ),
    zh=Words(
        "没有梯度",
        "{names} 更新了一次{where}，但没有反向传播到达它的参数：要么此前没有运行反向传播，要么损失"
        "没有通向它们的历史。`viz.explain(loss)` 会说明是哪一种。",
        "",
    ),
    find=find_pass_elsewhere,
    broken=LOOP.format(before="", inside="if i > 9:\n        loss.backward()\n    opt.step()"),
    sound=PLAIN,
    before=("no_pass",),
    watched=True,
)
