"""`normalize(dim=0)` of a model's results: it divides by lengths over the batch."""

from __future__ import annotations

import ast

from ...model.program_text import assigned
from ..objects import is_module
from ..syntax import calls_in, keyword, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    lines = (*evidence.lines, *evidence.repeated)
    for statement in lines:
        for call in calls_in(statement.tree):
            if last_name(call) != "normalize" or not call.args or keyword(call, "dim") != 0:
                continue
            given = call.args[0]
            if isinstance(given, ast.Name):
                made = [s for s in lines if given.id in assigned(s.tree)]
                given = getattr(made[-1].tree, "value", given) if made else given
            module = evidence.object(given.func) if isinstance(given, ast.Call) else None
            if module is not None and is_module(module):
                parts = {"line": evidence.context.line(statement)}
                return Match({**parts, "t": ast.unparse(call.args[0])})
    return None


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="",
    before="x, goal = T.randn(8, 3), T.nn.functional.normalize(T.randn(8, 4), dim=1)",
    inside="unit = T.nn.functional.normalize(net(x), dim={dim})\n"
    "loss = (unit - goal).pow(2).sum(1).mean()",
)

RULE = Rule(
    key="normalized_batch",
    severity=2,
    chapter="16",
    en=Words(
        "lengths over the batch",
        "{line} divides `{t}` by its lengths over dimension 0, the batch: each sample's result "
        "depends on the other samples.",
        "Write `dim=1`, the dimension of each sample's numbers.",
    ),
    zh=Words(
        "沿批次归一化长度",
        "{line}用第 0 维（批次）上的长度去除 `{t}`：每个样本的结果都取决于其他样本。",
        "请写 `dim=1`，即每个样本自己的数所在的维。",
    ),
    find=find,
    broken=PROGRAM.format(dim=0),
    sound=PROGRAM.format(dim=1),
)
