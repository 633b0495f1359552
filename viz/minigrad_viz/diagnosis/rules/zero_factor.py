"""A loss that a tensor of zeros multiplies away."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..observed import largest
from ..syntax import names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .signs import values


def find(evidence: Evidence) -> Match | None:
    """Find a factor of zeros in a loss that is zero, as all its gradients are."""
    root = evidence.root
    if root is None or root.numel() != 1 or not has_numbers(root) or float(bare(root).item()) != 0:
        return None
    if not evidence.leaves or any(evidence.gradient(leaf) != 0 for leaf in evidence.leaves):
        return None
    for statement, value in values(evidence):
        for node in ast.walk(value):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            for side in (node.left, node.right):
                for name in names_in(side) if isinstance(side, ast.Name) else ():
                    tensor = evidence.context.variables.get(name)
                    plain = is_tensor(tensor) and not tensor.requires_grad and tensor.numel() > 1
                    if plain and has_numbers(tensor) and largest(tensor) == 0:
                        parts = {"line": evidence.context.line(statement), "t": name}
                        return Match(parts, (name,))
    return None


PROGRAM = training(
    before="valid = T.{function}(8, 1)",
    inside="loss = ((net(x) - y).pow(2) * valid).mean()",
)

RULE = Rule(
    key="zero_factor",
    chapter="16",
    en=Words(
        "a loss times zero",
        "{line} multiplies by `{t}`, which holds zeros alone: the loss and every gradient are 0.",
        "Look at the line that makes `{t}`: 1 is for what counts.",
    ),
    zh=Words(
        "损失乘以零",
        "{line}乘以 `{t}`，而它全是零：损失和每个梯度都是 0。",
        "请检查创建 `{t}` 的那一行：要计入的位置应该是 1。",
    ),
    find=find,
    broken=PROGRAM.format(function="zeros"),
    sound=PROGRAM.format(function="ones"),
    before=("zero", "zero_input", "unmoved"),
)
