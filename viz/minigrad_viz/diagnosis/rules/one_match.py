"""A loss of pairs whose labels are all 0: each row's own partner stands on the diagonal."""

from __future__ import annotations

import ast

from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .signs import values


def find(evidence: Evidence) -> Match | None:
    """Find a cross-entropy of the products of all pairs, with `zeros(n)` as labels."""
    if not any(is_of_pairs(evidence, node) for node in evidence.nodes):
        return None
    known = list(values(evidence))
    for _, value in known:
        for call in calls_in(value):
            if not is_cross_entropy(evidence, call) or len(call.args) < 2:
                continue
            for statement, made in known:
                target = getattr(statement.tree, "targets", [None])[0]
                named = target is not None and ast.unparse(target) == ast.unparse(call.args[1])
                used = made if named else call.args[1] if made is value else None
                zeros = [c for c in calls_in(used) if last_name(c) == "zeros"] if used else []
                if len(zeros) == 1 and zeros[0].args and not names_in(zeros[0]) & MASKS:
                    count = ast.unparse(zeros[0].args[0])
                    instead = ast.unparse(zeros[0].func).replace("zeros", "arange")
                    parts = {"line": evidence.context.line(statement)}
                    return Match({**parts, "instead": f"{instead}({count})"})
    return None


MASKS = {"bool"}


def is_cross_entropy(evidence: Evidence, call: ast.Call) -> bool:
    kind = type(evidence.object(call.func)).__name__
    return last_name(call) == "cross_entropy" or kind == "CrossEntropyLoss"


def is_of_pairs(evidence: Evidence, node: object) -> bool:
    """Return whether a node is a softmax of a square of products, `a @ b.T`."""
    shape = evidence.shape(node)
    if evidence.kind(node) != "LogSoftmax" or len(shape) != 2 or not 2 < shape[0] == shape[1]:
        return False
    scores = evidence.input_of(node)
    while evidence.kind(scores) in ("Div", "Mul"):
        scores = evidence.input_of(scores)
    made = [each for each, _ in getattr(scores, "next_functions", ()) if each is not None]
    return (
        evidence.kind(scores) == "Mm"
        and len(made) == 2
        and not any(evidence.kind(each).startswith("Accumulate") for each in made)
    )


PROGRAM = training(
    net="left, right = T.nn.Linear(3, 4), T.nn.Linear(5, 4)",
    data="a, b = T.randn(8, 3), T.randn(8, 5)",
    inside="scores = left(a) @ right(b).T / 0.5\nlabels = T.{labels}\n"
    "loss = T.nn.functional.cross_entropy(scores, labels)",
)

RULE = Rule(
    key="one_match",
    chapter="16",
    en=Words(
        "one partner for all pairs",
        "In {line}, every label is 0: each row of the scores is to match the first column, and its "
        "own partner stands on the diagonal.",
        "Write `{instead}` for the labels.",
    ),
    zh=Words(
        "所有样本配了同一个对象",
        "{line}里所有标签都是 0：得分的每一行都要与第一列相配，而它自己的那一个在对角线上。",
        "标签请写 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(labels="zeros(8, dtype=T.int64)"),
    sound=PROGRAM.format(labels="arange(8)"),
)
