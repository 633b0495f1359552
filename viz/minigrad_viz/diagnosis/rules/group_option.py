"""A misspelt option in a group of parameters, which an optimizer takes without a word."""

from __future__ import annotations

import difflib

from ..reachable import held_by
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

OTHER_NAMES = {"learning_rate": "lr", "learningrate": "lr", "rate": "lr", "alpha": "lr",
               "wd": "weight_decay", "l2": "weight_decay", "decay": "weight_decay"}  # fmt: skip


def find(evidence: Evidence) -> Match | None:
    for name, optimizer in evidence.optimizers:
        known = set(getattr(optimizer, "defaults", ())) | {"params", "initial_lr"}
        for group in optimizer.param_groups if held_by(optimizer) else ():
            for key in (k for k in group if isinstance(k, str) and k not in known):
                option = OTHER_NAMES.get(key.lower(), "")
                close = difflib.get_close_matches(key, sorted(known - {"initial_lr"}), 1, 0.75)
                option = option if option in known else next(iter(close), "")
                read = any(
                    f"[{key!r}]" in text or f".get({key!r}" in text for text in evidence.code
                )
                written = any(key in text for text in evidence.code)  # else by a schedule
                if option and written and not read:
                    made = evidence.context.program.assignment(name)
                    parts = {"optimizer": name, "where": evidence.context.where(made)}
                    parts |= {"key": key, "option": option, "value": f"{group[option]!r}"}
                    return Match(parts, (name,))
    return None


PROGRAM = training(
    first="""
body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)
groups = [{{"params": body.parameters()}}, {{"params": head.parameters(), "{key}": 0.5}}]""",
    net="",
    opt="T.optim.SGD(groups, lr=0.1)",
    inside="loss = (head(body(x).tanh()) - y).pow(2).mean()",
)

RULE = Rule(
    key="group_option",
    severity=2,
    chapter="15",
    en=Words(
        "an option that is not known",
        "A group of `{optimizer}`{where} has the option `{key}`, which nothing reads: its "
        "`{option}` is {value}.",
        "Write `{option}` in place of `{key}`.",
    ),
    zh=Words(
        "不认识的选项",
        "`{optimizer}`{where}的一个参数组有选项 `{key}`，但没有任何代码读取它：这一组的 `{option}` "
        "仍是 {value}。",
        "请把 `{key}` 写成 `{option}`。",
    ),
    find=find,
    broken=PROGRAM.format(key="learning_rate"),
    sound=PROGRAM.format(key="lr"),
)
