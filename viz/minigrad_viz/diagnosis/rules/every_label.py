"""A likelihood that picks the scores of all labels for each sample, and not those of its own."""

from __future__ import annotations

import ast
from typing import Any

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a choice of as many scores for each sample as there are samples, and its mean."""
    root = evidence.root
    node: Any = None if root is None else root.grad_fn
    while evidence.kind(node) in ("Mean", "Sum", "Neg", "Div", "Mul"):
        node = evidence.input_of(node)
    line = evidence.node_line(node) if evidence.kind(node) == "Index" else None
    if line is None:
        return None
    shape, given = evidence.shape(node), evidence.shape(*node.next_functions[0])
    scores = evidence.kind(node.next_functions[0][0]) in ("LogSoftmax", "Log", "Softmax")
    if not scores or len(given) != 2 or shape != (given[0], given[0]) or given[0] == given[1]:
        return None
    for part in ast.walk(line.tree or ast.Pass()):
        places = (
            part.slice.elts
            if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Tuple)
            else []
        )
        if (
            len(places) == 2
            and isinstance(places[0], ast.Slice)
            and isinstance(part, ast.Subscript)
        ):
            parts = {"line": evidence.context.line(line), "count": str(shape[0])}
            parts |= {"t": ast.unparse(part.value), "y": ast.unparse(places[1])}
            return Match(parts, (), (node,))
    return None


PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    data="T.randn(8, 3), T.arange(8) % 2",
    inside="chances = T.log_softmax(net(x), dim=1)\nloss = -chances[{rows}, y].mean()",
)

RULE = Rule(
    key="every_label",
    chapter="16",
    en=Words(
        "each sample with the labels of all",
        "{line} picks {count} scores for each of the {count} samples: those of all labels, and not "
        "the one of its own label.",
        "Write `{t}[{library}.arange({count}), {y}]` there.",
    ),
    zh=Words(
        "每个样本配上了所有的标签",
        "{line}为 {count} 个样本各选了 {count} 个得分：选的是所有标签的得分，而不是自己那个标签的得"
        "分。",
        "请在那里写 `{t}[{library}.arange({count}), {y}]`。",
    ),
    find=find,
    broken=PROGRAM.format(rows=":"),
    sound=PROGRAM.format(rows="T.arange(8)"),
)
