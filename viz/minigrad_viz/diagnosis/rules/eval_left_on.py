"""Layers that trained in evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator

from ..examination import Examination
from ..reachable import held_by
from ..syntax import as_code
from .evaluation_mode import kinds_in_evaluation
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, of_steps


@of_steps
def find_eval_mode(exam: Examination) -> Iterator[Match]:
    seen = exam.seen
    last = {id(step.optimizer): step for step in seen.steps if step.passes}
    outermost = {i for each in seen.passes for i in each.modes}
    for module in (m for i, m in exam.modules.items() if i in outermost):
        dependent = kinds_in_evaluation(module)
        if not dependent:
            continue
        for step in last.values():
            if step.iteration != seen.iteration or not any(
                each is p for each in held_by(step.optimizer) for p in module.parameters()
            ):
                continue
            modes = [seen.passes[number - 1].modes.get(id(module), set()) for number in step.passes]
            if set().union(*modes) == {False} and all(modes):
                kinds = exam.say("comma").join(dependent)
                name = exam.name(module)
                yield about(exam, [name], kinds=kinds, instead=f"{as_code(name)}.train()")
                break


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 8), T.nn.Dropout(0.5), T.nn.Linear(8, 1))",
    before="net.{mode}()",
)

RULE = Rule(
    key="eval",
    severity=2,
    chapter="16",
    en=Words(
        "eval() while training",
        "{names}: in evaluation mode in the last step, though its parameters were trained by it: "
        "layers of {kinds} compute something else then.",
        "If that is not meant, call `{instead}` before each training step.",
    ),
    zh=Words(
        "训练时处于 eval()",
        "{names}：最后一步更新了它的参数，它却处于评估模式：{kinds} 在评估模式下的计算与训练时不"
        "同。",
        "如果这不是有意的，请在每个训练步之前调用 `{instead}`。",
    ),
    find=find_eval_mode,
    broken=PROGRAM.format(mode="eval"),
    sound=PROGRAM.format(mode="train"),
    watched=True,
)
