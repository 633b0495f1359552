"""A softmax over a single number, such as the wrong axis of scores: its result is always one."""

from __future__ import annotations

from typing import Any

from .evidence import RESHAPING, Evidence
from .programs import training
from .rule import Match, Rule, Words
from .softmax_dimension import dimension


def find(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        if evidence.kind(node) not in ("Softmax", "LogSoftmax"):
            continue
        place, shape = dimension(evidence, node), evidence.shape(node)
        if not place or len(shape) <= place:  # dimension 0 is the batch: softmax_dimension.py
            continue
        if shape[place] == 1 and max(shape) > 1:
            where = evidence.context.where(evidence.node_line(node))
            shown = f"[{', '.join(map(str, shape))}]"
            sizes = [n for n in range(1, len(shape)) if shape[n] > 1]
            inside = bool(sizes) and weighs(evidence, node)
            parts = {"axis": sizes[-1], "count": shape[sizes[-1]]} if inside else {}
            cure = evidence.context.say("cure_one_weight" if inside else "cure_one_class", **parts)
            return Match({"shape": shown, "where": where, "cure": cure}, culprits=(node,))
    return None


def weighs(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is a factor of other numbers, as the weights of attention are."""
    above = [node]
    while above and evidence.kind(above[0]) in ("Softmax", *RESHAPING, "Expand"):
        above = evidence.parents.get(id(above[0]), [])
    return bool(above) and evidence.kind(above[0]) in ("Mul", "Bmm", "Mm", "Matmul")


PROGRAM = training(
    net="T.nn.Linear(3, {outputs})",
    data="T.randn(8, 3), T.zeros(8, dtype=T.int64)",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
)

RULE = Rule(
    key="one_class",
    chapter="16",
    en=Words(
        "a softmax of one number",
        "The softmax{where} (the one inside cross-entropy counts, too) gets the shape {shape} "
        "and goes over one number: its result is always 1, and every gradient is 0.",
        "{cure}",
    ),
    zh=Words(
        "对单个数做 softmax",
        "softmax{where}（包括交叉熵内部的）得到的形状是 {shape}，它所沿的轴上只有一个数：结果总是 "
        "1，梯度总是 0。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(outputs=1),
    sound=PROGRAM.format(outputs=2),
    before=("attention_dimension", "zero"),
)
