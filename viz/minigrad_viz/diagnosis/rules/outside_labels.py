"""A binary cross-entropy whose targets are not between 0 and 1."""

from __future__ import annotations

from typing import Any

from ...model.values import bare, has_numbers
from .evidence import Evidence
from .limited_output import loss_targets
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
    losses = [float(bare(root).item()), *(evidence.seen.losses if evidence.seen else ())]
    outside = [n for n, value in loss_targets(evidence) if is_outside(value)]
    name = next(iter(outside), "")
    if evidence.kind(node) not in BINARY or not (min(losses) < 0 or name):
        return None
    where = evidence.context.where(evidence.node_line(node))
    parts = {
        "where": where,
        "target": f"`{name}`" if name else evidence.context.say("its_targets"),
        "name": name or "target",
    }
    return Match(parts, (name,) if name else (), (node,))


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
