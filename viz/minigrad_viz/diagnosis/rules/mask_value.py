"""A mask that fills scores with a small number before a softmax, which lets them through."""

from __future__ import annotations

import ast

from ..syntax import last_name, written_number
from .evidence import Evidence, calls_at
from .programs import training
from .rule import Match, Rule, Words

ENOUGH = -30.0
"""A score this low gets no weight from a softmax."""


def find(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        if evidence.kind(node) not in ("Softmax", "LogSoftmax"):
            continue
        before = evidence.input_of(node)
        if evidence.kind(before) not in ("MaskedFill", "Where"):
            continue
        line = evidence.node_line(before)
        for call in calls_at(line):
            filled = filling(call)
            if filled is not None and filled > ENOUGH:
                parts = {"where": evidence.context.where(line), "value": f"{filled:g}"}
                return Match(parts, (), (before,))
    return None


def filling(call: ast.Call) -> float | None:
    """Return the number that a call writes where its mask is, or None."""
    if last_name(call) not in ("masked_fill", "masked_fill_") or not call.args:
        return None
    return written_number(call.args[-1])


PROGRAM = training(
    first="q, k, v = T.nn.Linear(4, 4), T.nn.Linear(4, 4), T.nn.Linear(4, 4)",
    net="",
    opt="T.optim.SGD([*q.parameters(), *k.parameters(), *v.parameters()], lr=0.1)",
    data="T.randn(2, 5, 4), T.randn(2, 5, 4)",
    before="mask = T.tril(T.ones(5, 5))",
    inside="scores = q(x) @ k(x).transpose(1, 2)\n"
    "scores = scores.masked_fill(mask == 0, {value})\n"
    "loss = (T.softmax(scores, -1) @ v(x) - y).pow(2).mean()",
)

RULE = Rule(
    key="mask_value",
    severity=2,
    chapter="16",
    en=Words(
        "a mask that hides nothing",
        "The mask{where} writes {value} before a softmax: a score of {value} still gets its "
        "weight, so what should be hidden is seen.",
        "Write `float('-inf')` there, whose weight is 0.",
    ),
    zh=Words(
        "遮罩没有遮住任何东西",
        "这个遮罩{where}在 softmax 之前写入 {value}：分数 {value} 仍然会得到权重，应当遮住的位置照"
        "样被看到。",
        "请在那里写 `float('-inf')`，它的权重是 0。",
    ),
    find=find,
    broken=PROGRAM.format(value="1e-9"),
    sound=PROGRAM.format(value="-1e9"),
)
