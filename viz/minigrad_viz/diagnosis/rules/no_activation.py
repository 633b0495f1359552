"""Linear layers in a row: without an activation between them they are one linear layer."""

from __future__ import annotations

from typing import Any

from ...model.autograd_nodes import is_accumulate
from .evidence import RESHAPING, Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a layer that gets the result of another, not narrower than what both could do alone."""
    layers = linear_layers(evidence)
    for node in evidence.nodes:
        after = layer_of(evidence, node, layers)
        before = None if after is None else made_alone(evidence, node)
        first = None if before is None else layer_of(evidence, before, layers)
        if first is None or after is None or first[1] is after[1] or first[2] != after[2]:
            continue
        middle = first[1].out_features
        if middle >= min(first[1].in_features, after[1].out_features):
            where = evidence.context.where(evidence.node_line(node))
            return Match({"one": first[0], "two": after[0], "where": where}, (), (node,))
    return None


def linear_layers(evidence: Evidence) -> dict[int, tuple[str, Any, int]]:
    """Return the plain linear layers by the identity of their weights.

    Each comes with its name and the identity of the module that has it.
    """
    found: dict[int, tuple[str, Any, int]] = {}
    for name, module in evidence.modules:
        for path, outer in module.named_modules():
            for part, each in outer.named_children():
                if type(each).__name__ == "Linear":
                    whole = ".".join(filter(None, (name, path, part)))
                    found.setdefault(id(each.weight), (whole, each, id(outer)))
    return found


def layer_of(
    evidence: Evidence, node: Any, layers: dict[int, tuple[str, Any, int]]
) -> tuple[str, Any, int] | None:
    """Return the layer whose product with its input a node is."""
    if evidence.kind(node) not in ("Addmm", "Mm", "Linear", "Matmul", "UnsafeView", "Add"):
        return None
    for before, _ in node.next_functions:
        for _ in range(2):  # past the transpose of the weight
            if before is not None and is_accumulate(before):
                if id(before.variable) in layers:
                    return layers[id(before.variable)]
                break
            before = before.next_functions[0][0] if evidence.kind(before) in RESHAPING else None
    return None


def made_alone(evidence: Evidence, node: Any) -> Any:
    """Return the operation whose only use is to be the input of a layer, past changed shapes."""
    for before, _ in node.next_functions:
        while before is not None and not is_accumulate(before):
            if len(evidence.parents.get(id(before), [])) != 1:
                break
            if evidence.kind(before) in ("Addmm", "Mm", "Linear", "Matmul"):
                return before
            if evidence.kind(before) not in RESHAPING or evidence.kind(before) == "Select":
                break
            before = before.next_functions[0][0]
    return None


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(2, 16), {between}T.nn.Linear(16, 1))",
    data="",
    before="x = T.randn(16, 2)\ny = x[:, :1] * x[:, 1:]",
)

RULE = Rule(
    key="no_activation",
    severity=2,
    chapter="15",
    en=Words(
        "no activation between layers",
        "`{two}` gets the result of `{one}` with no activation between them{where}: together they "
        "can do no more than one linear layer.",
        "Put an activation between them, such as `{nn}.ReLU()`.",
    ),
    zh=Words(
        "各层之间没有激活函数",
        "`{two}` 直接得到 `{one}` 的结果，中间没有激活函数{where}：两层合起来只是一个线性层。",
        "请在两层之间加上激活函数，例如 `{nn}.ReLU()`。",
    ),
    find=find,
    broken=PROGRAM.format(between=""),
    sound=PROGRAM.format(between="T.nn.ReLU(), "),
)
