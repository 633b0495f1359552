"""A softmax over a single number: its result is always one."""

from __future__ import annotations

from .evidence import Evidence
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
            return Match({"shape": shown, "where": where}, culprits=(node,))
    return None


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
        "The softmax{where} (the one inside cross-entropy counts, too) gets the shape {shape}, one "
        "class for each sample: its result is always 1, and every gradient is 0.",
        "For two classes with one output, use `BCEWithLogitsLoss` on the output without softmax; "
        "otherwise give the last layer one output for each class.",
    ),
    zh=Words(
        "对单个数做 softmax",
        "softmax{where}（包括交叉熵内部的）得到的形状是 {shape}，每个样本只有一个类别：结果总是 "
        "1，梯度总是 0。",
        "两个类别、一个输出时，请去掉 softmax，用 `BCEWithLogitsLoss`；否则让最后一层的输出个数等于"
        "类别数。",
    ),
    find=find,
    broken=PROGRAM.format(outputs=1),
    sound=PROGRAM.format(outputs=2),
    before=("zero",),
)
