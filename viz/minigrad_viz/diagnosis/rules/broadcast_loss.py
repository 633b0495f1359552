"""A loss whose operands broadcast: a column of predictions against a row of targets."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import shape_of
from ..evidence import sequence_of
from ..syntax import names_in
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words

LOSSES = ("MseLoss", "SmoothL1Loss", "HuberLoss", "Sub", "Rsub")


def find(evidence: Evidence) -> Match | None:
    if evidence.root is None or evidence.root.numel() != 1:
        return None
    for node in sorted(evidence.nodes, key=sequence_of, reverse=True):
        before = [each for each in node.next_functions if each[0] is not None]
        shape = evidence.shape(node)
        if len(before) != 1 or len(shape) != 2 or shape[0] != shape[1] or shape[0] == 1:
            continue
        given = evidence.shape(*before[0])
        if given not in ((shape[0], 1), (shape[0],)) or not is_difference(evidence, node):
            continue
        other = (shape[0],) if len(given) == 2 else (shape[0], 1)
        return describe(evidence, node, given, other)
    return None


def is_difference(evidence: Evidence, node: Any) -> bool:
    """Return whether a node subtracts a constant, or broadcasts the operand of such a node."""
    if evidence.kind(node) == "Expand":
        using = evidence.parents.get(id(node), [])
        return any(evidence.kind(each) in LOSSES and is_constant(each) for each in using)
    return evidence.kind(node) in ("Sub", "Rsub") and is_constant(node)


def is_constant(node: Any) -> bool:
    """Return whether only one operand has a history."""
    return sum(each is not None for each, _ in node.next_functions) == 1


def describe(
    evidence: Evidence, node: Any, given: tuple[int, ...], other: tuple[int, ...]
) -> Match:
    line = evidence.node_line(node)
    names = [
        name
        for t in evidence.context.tensors
        if not t.requires_grad and tuple(t.shape) == other
        if (name := evidence.context.name(t)).isidentifier() and line and name in line.text
    ]
    chosen = selected(evidence, line, other)
    target = next((n for n in names if not any(n in names_in(c) for c in chosen)), "")
    target = target or (ast.unparse(chosen[0]) if chosen else "")
    call = "unsqueeze(1)" if len(other) == 1 else "squeeze(1)"
    written = target or subtracted(node, line)
    parts = {"where": evidence.context.where(line), "given": as_text(given)}
    parts |= {"other": as_text(other), "both": as_text((given[0], given[0])), "call": call}
    parts["target"] = f" `{written}`" if written else ""
    parts["instead"] = f"{written or 'target'}.{call}"
    return Match(parts, (target,) if target else (), (node,))


def subtracted(node: Any, line: Statement | None) -> str:
    """Return the operand without a history, as the only difference of a line names it, or ""."""
    tree = (line.tree or tree_of(line.text.strip())) if line is not None else ast.Pass()
    found = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub)]
    if len(found) != 1 or len(node.next_functions) != 2:
        return ""
    operand = found[0].left if node.next_functions[0][0] is None else found[0].right
    return ast.unparse(operand) if isinstance(operand, ast.Name | ast.Attribute) else ""


def selected(
    evidence: Evidence, line: Statement | None, shape: tuple[int, ...]
) -> list[ast.Subscript]:
    """Return what a line selects of a tensor by indices, if it has this shape: `t[i]`."""
    found = []
    for node in ast.walk(getattr(line, "tree", None) or ast.Pass()):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            owner, index = evidence.object(node.value), evidence.object(node.slice)
            if is_tensor(owner) and is_tensor(index) and not str(index.dtype).endswith("bool"):
                if (*shape_of(index), *shape_of(owner)[1:]) == shape:
                    found.append(node)
    return found


def as_text(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


PROGRAM = training(
    data="T.randn(8, 3), T.randn({shape})",
    inside="loss = ((net(x) - y) ** 2).mean()",
)

RULE = Rule(
    key="broadcast_loss",
    chapter="6",
    en=Words(
        "a loss that broadcasts",
        "The prediction has the shape {given} and the target{target} {other}, so their "
        "difference{where} has the shape {both}: every prediction is compared with every target.",
        "Give both the same shape: `{instead}`.",
    ),
    zh=Words(
        "损失发生了广播",
        "预测的形状是 {given}，目标{target} 的形状是 {other}，所以它们的差{where}的形状是 "
        "{both}：每个预测都与每个目标作了比较。",
        "请使两者形状相同：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(shape="8"),
    sound=PROGRAM.format(shape="8, 1"),
)
