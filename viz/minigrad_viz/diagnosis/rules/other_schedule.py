"""A scheduler that steps, of an optimizer that does not."""

from __future__ import annotations

from .evidence import Evidence
from .optimizer import schedulers
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    known = schedulers(evidence)
    for name, scheduler in evidence.context.variables.items():
        if not any(scheduler is each for each in known):
            continue  # other variables may raise when asked
        optimizer = getattr(scheduler, "optimizer", None)
        if optimizer is None:
            continue
        # The scheduler itself reaches its optimizer.
        own = [(n, o) for n, o in evidence.stepping if not n.startswith(f"{name}.")]
        named = [o for n, o in evidence.things if not n.startswith(f"{name}.")]
        if not own or any(optimizer is each for each in named):
            continue
        if evidence.calls("step", name):
            made = evidence.context.program.assignment(name)
            parts = {"t": name, "where": evidence.context.where(made), "optimizer": own[0][0]}
            return Match(parts, (name,))
    return None


PROGRAM = training(
    before="decay = T.optim.lr_scheduler.StepLR(opt, 2)\n{again}",
    steps=f"{STEPS}\ndecay.step()",
)

RULE = Rule(
    key="other_schedule",
    severity=2,
    chapter="15",
    en=Words(
        "a scheduler of another optimizer",
        "`{t}`{where} sets the rate of an optimizer that no longer steps: the one that "
        "`{optimizer}` is now keeps its rate.",
        "Make `{t}` after `{optimizer}` has been made for the last time.",
    ),
    zh=Words(
        "调度器属于另一个优化器",
        "`{t}`{where}调整的是一个不再更新的优化器的学习率：现在的 `{optimizer}` 学习率不变。",
        "请在最后一次创建 `{optimizer}` 之后再创建 `{t}`。",
    ),
    find=find,
    broken=PROGRAM.format(again="opt = T.optim.SGD(net.parameters(), lr=0.1)"),
    sound=PROGRAM.format(again="pass"),
)
