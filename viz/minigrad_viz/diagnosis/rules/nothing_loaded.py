"""`load_state_dict(state, strict=False)` with a state of which no name fits."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ..objects import is_module
from ..syntax import calls_in, keyword, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if last_name(call) != "load_state_dict" or keyword(call, "strict") is not False:
                continue
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            module = None if owner is None else evidence.object(owner)
            state = evidence.object(call.args[0]) if len(call.args) == 1 else None
            if module is None or not is_module(module) or not isinstance(state, Mapping):
                continue
            names, given = list(module.state_dict()), [str(key) for key in state]
            if not names or not given or {*names} & {*given}:
                continue
            parts = {"line": evidence.context.line(statement), "given": given[0], "own": names[0]}
            return Match({**parts, "cure": cure(evidence, ast.unparse(call.args[0]), given, names)})
    return None


def cure(evidence: Evidence, state: str, given: list[str], names: list[str]) -> str:
    """Return the line that takes a common prefix off, if the names fit without it."""
    first = given[0].partition(".")[0] + "."
    prefix = first if all(each.startswith(first) for each in given) else ""
    if prefix and {each.removeprefix(prefix) for each in given} & {*names}:
        text = f"{{k.removeprefix({prefix!r}): v for k, v in {state}.items()}}"
        return evidence.context.say("cure_prefix", instead=text)
    return evidence.context.say("cure_strict")


PROGRAM = training(
    first="""
body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)
state = {{"{prefix}" + name: t for name, t in T.nn.Linear(3, 4).state_dict().items()}}
body.load_state_dict(state, strict=False)""",
    net="",
    opt="T.optim.SGD(head.parameters(), lr=0.1)",
    inside="with T.no_grad():\n    h = body(x).tanh()\nloss = (head(h) - y).pow(2).mean()",
)

RULE = Rule(
    key="nothing_loaded",
    chapter="15",
    en=Words(
        "weights that were not loaded",
        "{line} loads nothing: the state has names such as `{given}`, the module such as `{own}`, "
        "and `strict=False` hides it.",
        "{cure}",
    ),
    zh=Words(
        "权重没有载入",
        "{line}什么也没有载入：状态里的名字如 `{given}`，模块里的如 `{own}`，而 `strict=False` 掩盖"
        "了这一点。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(prefix="module."),
    sound=PROGRAM.format(prefix=""),
)
