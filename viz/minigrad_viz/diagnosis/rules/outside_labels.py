"""A binary cross-entropy whose targets are not between 0 and 1."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

BINARY = ("BinaryCrossEntropyWithLogits", "BinaryCrossEntropy")
AVERAGES = ("Mean", "Sum")


def find(evidence: Evidence) -> Match | None:
    root = evidence.root
    if root is None or root.grad_fn is None or root.numel() != 1 or not has_numbers(root):
        return None
    node = root.grad_fn
    if evidence.kind(node) in AVERAGES:
        node = evidence.input_of(node)
    value, name = float(bare(root).item()), named_target(evidence)
    if evidence.kind(node) not in BINARY or not (value < 0 or name):
        return None
    where = evidence.context.where(evidence.node_line(node))
    parts = {
        "where": where,
        "target": f"`{name}`" if name else evidence.context.say("its_targets"),
        "name": name or "target",
    }
    return Match(parts, (name,) if name else (), (node,))


def named_target(evidence: Evidence) -> str:
    """Return a variable that is the target of a binary loss and has other numbers, or ""."""
    variables = evidence.context.variables
    for call in (c for statement in evidence.lines for c in calls_in(statement.tree)):
        kind = type(variables.get(ast.unparse(call.func))).__name__
        binary = kind.startswith("BCE") or last_name(call).startswith("binary_cross_entropy")
        target = call.args[1] if binary and len(call.args) > 1 else None
        value = variables.get(target.id) if isinstance(target, ast.Name) else None
        if isinstance(target, ast.Name) and is_tensor(value) and is_outside(value):
            return target.id
    return ""


def is_outside(tensor: Any) -> bool:
    """Return whether a tensor has elements below 0 or above 1."""
    numbers = bare(tensor)
    return has_numbers(tensor) and bool(((numbers < 0) | (numbers > 1)).any())


PROGRAM = training(
    data="",
    before="x = T.randn(8, 3)\n"
    "y = T.tensor([[{low}], [1.0]] * 4)\n"
    "criterion = T.nn.BCEWithLogitsLoss()",
    inside="loss = criterion(net(x), y)",
    turns="range(100)",
)

RULE = Rule(
    key="outside_labels",
    chapter="16",
    en=Words(
        "labels that are not between 0 and 1",
        "The binary cross-entropy{where} takes targets between 0 and 1, and {target} has others, "
        "so the loss falls below 0 and without end.",
        "Write the two classes as 0 and 1: `{name} = ({name} == {name}.max()).float()`.",
    ),
    zh=Words(
        "标签不在 0 和 1 之间",
        "二元交叉熵{where}的目标应在 0 和 1 之间，而 {target} 超出了这个范围，所以损失会降到 0 以"
        "下，一直下降。",
        "请把两个类别写成 0 和 1：`{name} = ({name} == {name}.max()).float()`。",
    ),
    find=find,
    broken=PROGRAM.format(low=-1.0),
    sound=PROGRAM.format(low=0.0),
)
