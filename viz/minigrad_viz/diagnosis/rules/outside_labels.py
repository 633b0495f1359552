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
    outside = [(n, value) for n, value in loss_targets(evidence) if is_outside(value)]
    name = outside[0][0] if outside else ""
    binary = evidence.kind(node) in BINARY
    if not binary and min(losses) < 0 and outside and is_mask(outside[0][1]):
        node = next((each for each in evidence.nodes if is_overlap(evidence, each)), None)
    elif not binary or not (min(losses) < 0 or name):
        return None
    if node is None:
        return None
    kind = evidence.context.say("binary_entropy" if binary else "overlap")
    where = evidence.context.where(evidence.node_line(node))
    parts = {
        "where": where,
        "kind": kind,
        "target": f"`{name}`" if name else evidence.context.say("its_targets"),
        "name": name or "target",
    }
    return Match(parts, (name,) if name else (), (node,))


def is_outside(tensor: Any) -> bool:
    """Return whether a tensor has elements below 0 or above 1."""
    numbers = bare(tensor)
    return has_numbers(tensor) and bool(((numbers < 0) | (numbers > 1)).any())


def is_mask(tensor: Any) -> bool:
    """Return whether a tensor has 0 and one number above 1, as the masks of pictures have."""
    numbers = {*bare(tensor).unique().tolist()}
    return len(numbers) == 2 and min(numbers) == 0 and max(numbers) > 1


def is_overlap(evidence: Evidence, node: Any) -> bool:
    """Return whether a node divides a sum of products of chances by a sum of sums."""
    if evidence.kind(node) != "Div":
        return False
    over, under = evidence.input_of(node), evidence.input_of(node, 1)
    while evidence.kind(over) in ("Mul", "Add") and evidence.shape(over) == ():
        over = evidence.input_of(over)
    product = evidence.input_of(over) if evidence.kind(over) == "Sum" else None
    if evidence.kind(product) != "Mul" or evidence.kind(under) not in ("Add", "Sub"):
        return False
    return evidence.kind(evidence.input_of(product)) in ("Sigmoid", "Softmax")


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
        "{kind}{where} takes targets between 0 and 1, and {target} has others, "
        "so the loss does not end at 0.",
        "Write the two classes as 0 and 1: `{name} = ({name} == {name}.max()).float()`.",
    ),
    zh=Words(
        "标签不在 0 和 1 之间",
        "{kind}{where}的目标应在 0 和 1 之间，而 {target} 超出了这个范围，所以损失降到 0 以"
        "后还会下降。",
        "请把两个类别写成 0 和 1：`{name} = ({name} == {name}.max()).float()`。",
    ),
    find=find,
    broken=PROGRAM.format(low=-1.0),
    sound=PROGRAM.format(low=0.0),
)
