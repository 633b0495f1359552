"""An optimizer that moves every weight by about its rate, with a rate of one or more."""

from __future__ import annotations

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

OF_SIZE_RATE = ("Adam", "NAdam", "RAdam", "RMSprop", "Adagrad")
LARGE = 1.0


def find(evidence: Evidence) -> Match | None:
    for name, optimizer in evidence.stepping:
        kind = type(optimizer).__name__
        if not kind.startswith(OF_SIZE_RATE):
            continue
        for group in optimizer.param_groups:
            learned = [p for p in group["params"] if type(p).__name__ == "Parameter"]
            if any(len(p.shape) > 1 for p in learned) and float(group.get("lr", 0)) >= LARGE:
                where = evidence.context.where(evidence.context.program.assignment(name))
                parts = {"optimizer": name, "where": where, "kind": kind}
                return Match({**parts, "rate": f"{float(group['lr']):g}"}, (name,))
    return None


PROGRAM = training(opt="T.optim.Adam(net.parameters(), lr={rate})")

RULE = Rule(
    key="large_steps",
    severity=3,
    chapter="14",
    en=Words(
        "steps as large as the rate",
        "`{optimizer}`{where} has the learning rate {rate}, and {kind} moves each weight by about "
        "its rate in each step: the weights jump and do not settle.",
        "Take a rate such as `lr=1e-3`.",
    ),
    zh=Words(
        "步长与学习率一样大",
        "`{optimizer}`{where}的学习率是 {rate}，而 {kind} 每一步使每个权重移动大约一个学习率：权重"
        "来回跳动，不能收敛。",
        "请用 `lr=1e-3` 这样的学习率。",
    ),
    find=find,
    broken=PROGRAM.format(rate=10.0),
    sound=PROGRAM.format(rate=0.01),
    before=("exploding",),
)
