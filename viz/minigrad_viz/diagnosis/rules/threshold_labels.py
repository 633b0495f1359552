"""Labels that a comparison makes, and that are all alike: there is nothing to tell apart."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .signs import given_by, values

FEWEST = 8
"""Labels that are enough to judge."""


def find(evidence: Evidence) -> Match | None:
    """Find `y = (x > 10).long()` before the loop, of which all elements are equal."""
    used = {
        name
        for _, value in values(evidence)
        for call in calls_in(value)
        if len(call.args) > 1 and is_loss(evidence, call)
        for name in names_in(call.args[1])
    }
    for statement, value in values(evidence):
        compared = next((n for n in ast.walk(value) if isinstance(n, ast.Compare)), None)
        name = min(given_by(statement)[0], default="")
        labels = evidence.context.variables.get(name)
        if compared is None or statement.loops or name not in used or not is_tensor(labels):
            continue
        if labels.numel() < FEWEST or not has_numbers(labels):
            continue
        numbers = bare(labels).reshape(-1)
        if bool((numbers == numbers[0]).all()):
            parts = {"line": evidence.context.line(statement), "t": name, "n": len(numbers)}
            parts |= {"label": f"{float(numbers[0].item()):g}", "left": ast.unparse(compared.left)}
            return Match(parts, (name,))
    return None


PROGRAM = training(
    net="T.nn.Linear(4, 2)",
    data="",
    before="x = T.arange(64.0).reshape(16, 4) / 64\ny = (x.sum(1) > {limit}).long()",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
)

RULE = Rule(
    key="threshold_labels",
    chapter="16",
    en=Words(
        "labels that are all alike",
        "{line} gives all {n} samples the label {label}: there is nothing to tell apart.",
        "Take a limit that lies between the numbers: `print({left}.min(), {left}.max())`.",
    ),
    zh=Words(
        "标签全都一样",
        "{line}给全部 {n} 个样本的标签都是 {label}：没有什么可以区分。",
        "请取一个位于这些数之间的界限：`print({left}.min(), {left}.max())`。",
    ),
    find=find,
    broken=PROGRAM.format(limit="10.0"),
    sound=PROGRAM.format(limit="2.0"),
    before=("unmoved",),
)
