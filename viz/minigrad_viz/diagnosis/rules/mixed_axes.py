"""A view of a computed result that has its lengths in another order: it mixes the axes."""

from __future__ import annotations

import ast
from typing import Any

from .data_shapes import order_of
from .evidence import Evidence, calls_at
from .rule import Match, Rule, Words

VIEWS = ("View", "UnsafeView", "ReshapeAlias")


def find(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        before, index = node.next_functions[0] if node.next_functions else (None, 0)
        if evidence.kind(node) not in VIEWS or before is None:
            continue
        given, shape = evidence.shape(before, index), evidence.shape(node)
        if (match := find_second_first(evidence, node, given)) is not None:
            return match
        if given == shape or sorted(given) != sorted(shape) or len(shape) < 3 or 1 in shape:
            continue
        line, order = evidence.node_line(node), order_of(list(shape), given)
        for call in calls_at(line):
            if line is not None and order and is_view(call, len(shape)):
                name = ast.unparse(getattr(call.func, "value", call.func))
                parts = {"line": evidence.context.line(line), "t": name, "shape": str(list(given))}
                instead = f"{name}.permute({', '.join(map(str, order))})"
                return Match({**parts, "instead": instead}, (), (node,))
    return None


def find_second_first(evidence: Evidence, node: Any, given: tuple[int, ...]) -> Match | None:
    """Find a view of shape (a, b, c) as (b, a * c): the second axis does not become the first."""
    shape, line = evidence.shape(node), evidence.node_line(node)
    if len(given) != 3 or len(shape) != 2 or shape[0] != given[1] or line is None:
        return None
    for call in calls_at(line) if 1 < given[0] != given[1] > 1 else ():
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("view", "reshape"):
            name = ast.unparse(call.func.value)
            parts = {"line": evidence.context.line(line), "t": name, "shape": str(list(given))}
            instead = f"{name}.permute(1, 0, 2).reshape({shape[0]}, -1)"
            return Match({**parts, "instead": instead}, (), (node,))
    return None


def is_view(call: ast.Call, count: int) -> bool:
    """Return whether a call is a view by that many plain lengths, none of them computed."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("view", "reshape"):
        return False
    row = call.args[0] if len(call.args) == 1 else None
    lengths = row.elts if isinstance(row, ast.Tuple | ast.List) else call.args
    return len(lengths) == count and not any(isinstance(each, ast.BinOp) for each in lengths)


PROGRAM = """
table, head = T.nn.Embedding(9, 5), T.nn.Linear(5, 3)
opt = T.optim.SGD([*table.parameters(), *head.parameters()], lr=0.1)
words = T.randint(0, 9, (8, 4))
for i in range(4):
    opt.zero_grad()
    scores = head(table(words)).{method}
    loss = T.nn.functional.cross_entropy(scores, words % 3)
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="mixed_axes",
    severity=3,
    chapter="6",
    en=Words(
        "a view that mixes axes",
        "{line} gives `{t}`, of shape {shape}, its lengths in another order: a view leaves the "
        "numbers where they are, so it mixes the axes.",
        "Exchange the axes with `{instead}`.",
    ),
    zh=Words(
        "view 打乱了坐标轴",
        "{line}把形状为 {shape} 的 `{t}` 的各个长度换了顺序：view 不移动数据，所以各轴的内容混在一"
        "起。",
        "请用 `{instead}` 交换坐标轴。",
    ),
    find=find,
    broken=PROGRAM.format(method="view(8, 3, 4)"),
    sound=PROGRAM.format(method="permute(0, 2, 1)"),
)
