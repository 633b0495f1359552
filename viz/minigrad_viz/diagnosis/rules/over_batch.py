"""A mean, a length or a softmax over the batch that goes back into each sample."""

from __future__ import annotations

import re
from typing import Any

from ...model.program_text import Statement
from ..evidence import saved_argument
from ..syntax import calls_in, last_name
from .batch_for_time import samples
from .broadcast_loss import as_text
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .softmax_dimension import dimension

REDUCING = ("Mean", "Sum", "LinalgVectorNorm", "Norm")
SPREAD = ("Std", "Var", "StdMean", "VarMean")
"""Statistics of a normalization by hand, which is over the batch on purpose."""

BETWEEN = (*("ClampMin", "Add", "Sqrt", "Expand", "Unsqueeze", "View", "Div", "Mul"),
           *("Reciprocal", "Log", "Squeeze", "Reshape"))  # fmt: skip
"""Operations between a statistic and the samples that it goes back into."""


def find(evidence: Evidence) -> Match | None:
    """Find a statistic of the samples of the loss on which the predictions depend."""
    inner = any("create_graph" in text for text in evidence.code)  # a step adds up its gradients
    count = 0 if inner else samples(evidence, wide=True)
    found = [n for n in evidence.nodes if count > 1 and takes_batch(evidence, n, count)]
    for node in found:
        square = evidence.kind(node) == "Mean" and evidence.kind(evidence.input_of(node)) == "Pow"
        if evidence.kind(node) in SPREAD or (square and returns(evidence, node, count)):
            return None
    for node in reversed(found):
        soft = evidence.kind(node) == "Softmax"
        if soft or (evidence.kind(node) in REDUCING and returns(evidence, node, count)):
            before, index = node.next_functions[0]
            shape = evidence.shape(node) if soft else evidence.shape(before, index)
            line = line_of(evidence, node)
            parts: dict[str, object] = {"where": evidence.context.where(line)}
            parts |= {"shape": as_text(shape), "count": count}
            parts["what"] = evidence.context.say(WORDS[evidence.kind(node)])
            kept = soft or (line is not None and re.search(r"normalize\(|keepdim", line.text))
            parts["instead"] = "dim=1" if kept else "dim=1, keepdim=True"
            return Match(parts, (), (node,))
    return None


def line_of(evidence: Evidence, node: Any) -> Statement | None:
    """Return the line that shows the operation, which a node inside a library's call may not."""
    names = CALLS.get(evidence.kind(node), ("norm", "normalize"))
    lines = (*evidence.lines, *evidence.repeated, *evidence.forward_lines)
    shown = [s for s in lines if any(last_name(call) in names for call in calls_in(s.tree))]
    line = evidence.node_line(node)
    alone = len({(s.file, s.line) for s in shown}) == 1
    return shown[0] if line not in shown and alone else line


CALLS = {"Softmax": ("softmax",), "Mean": ("mean",), "Sum": ("sum",)}

WORDS = {"Softmax": "over_softmax", "Mean": "over_mean", "Sum": "over_sum",
         "LinalgVectorNorm": "over_norm", "Norm": "over_norm"}  # fmt: skip


def takes_batch(evidence: Evidence, node: Any, count: int) -> bool:
    """Return whether a node goes over the samples of a tensor of two or more dimensions."""
    kind = evidence.kind(node)
    if kind == "Softmax":
        shape = evidence.shape(node)
        return len(shape) > 1 and shape[0] == count and dimension(evidence, node) == 0
    before, index = node.next_functions[0] if kind in (*REDUCING, *SPREAD) else (None, 0)
    if before is None:
        return False
    shape = evidence.shape(before, index)
    if len(shape) < 2 or shape[0] != count or not evidence.kind(before):
        return False
    try:
        given = saved_argument(node, "dim")
    except (AttributeError, RuntimeError):
        return True  # over all numbers
    places = given if isinstance(given, list | tuple) else (given,)
    signed = [p - 2**64 if p is not None and p >= 2**63 else p for p in places]
    return not signed or any(p in (None, 0, -len(shape)) for p in signed)


def returns(evidence: Evidence, node: Any, count: int) -> bool:
    """Return whether a statistic is combined with the samples again."""
    left = [node]
    for _ in range(10):
        if not left:
            return False
        above = [p for n in left for p in evidence.parents.get(id(n), [])]
        above = [p for p in above if evidence.kind(p) in (*BETWEEN, "Sub")]
        for each in above:
            shape = evidence.shape(each)
            sides = [evidence.shape(n, i) for n, i in each.next_functions[:2] if n is not None]
            if len(shape) > 1 and shape[0] == count and shape in sides and len({*sides}) > 1:
                return True
            expanded = any(evidence.kind(n) == "Expand" for n, _ in each.next_functions)
            if (
                len(shape) > 1
                and shape[0] == count
                and expanded
                and evidence.kind(each) != "Expand"
            ):
                return True
        left = above
    return False


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="T.randn(8, 3), T.nn.functional.normalize(T.randn(8, 4), dim=1)",
    inside="h = net(x)\nloss = (h / h.norm({dim}) - y).pow(2).sum(1).mean()",
)

RULE = Rule(
    key="over_batch",
    severity=2,
    chapter="16",
    en=Words(
        "samples that depend on each other",
        "{what}{where} goes over dimension 0 of shape {shape}, the batch of {count} samples, "
        "and back into each: a sample's result depends on the others.",
        "Write `{instead}` there, the dimension of each sample's own numbers.",
    ),
    zh=Words(
        "样本互相依赖",
        "{what}{where}沿形状为 {shape} 的张量的第 0 维计算，它的 {count} 行就是各个样本，"
        "结果又回到每个样本里：一个样本的结果取决于其他样本。",
        "请在那里写 `{instead}`，即每个样本自己的数所在的维。",
    ),
    find=find,
    broken=PROGRAM.format(dim=""),
    sound=PROGRAM.format(dim="dim=1, keepdim=True"),
)
