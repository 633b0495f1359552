"""A shortcut around a layer that changes the number of features: `self.lin(x) + x`."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.values import shape_of
from ..objects import is_module
from ..rules.rule import Match, Words
from .raised import Raised
from .rule import ErrorRule


def find(raised: Raised) -> Match | None:
    sizes = raised.match(r"\((\d+)\) must match .*\((\d+)\) at non-singleton dimension (\d+)")
    if sizes is None:
        return None
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
            continue
        pairs = ((node.left, node.right), (node.right, node.left))
        for call, short in pairs:
            module = raised.object(call.func) if isinstance(call, ast.Call) else None
            value = raised.object(short)
            if not is_module(module) or not is_tensor(value) or not isinstance(call, ast.Call):
                continue
            if not any(raised.object(a) is value for a in call.args):
                continue
            if (layer := connecting(raised.nn, module, value)) is None:
                continue
            text = ast.unparse(short)
            parts = {"call": ast.unparse(call), "t": text, "shape": str(shape_of(value))}
            return Match({**parts, "gives": layer[1], "cure": layer[0]})
    return None


def connecting(nn: str, module: Any, value: Any) -> tuple[str, int] | None:
    """Return a layer from the input's features to those of the module, and their number."""
    kind = type(module).__name__
    if kind == "Linear":
        size, gives = shape_of(value)[-1], int(module.out_features)
        return f"{nn}.Linear({size}, {gives})", gives
    if kind == "Conv2d" and tuple(module.stride) == (1, 1):
        size, gives = int(module.in_channels), int(module.out_channels)
        return (f"{nn}.Conv2d({size}, {gives}, 1)", gives) if size != gives else None
    return None


PROGRAM = """
class Block(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = T.nn.Linear(8, {size})
    def forward(self, x):
        return self.lin(x) + x
out = Block()(T.ones(4, 8))
"""

RULE = ErrorRule(
    key="shortcut_of_other_size",
    chapter="",
    words={
        "en": Words(
            "a shortcut around a layer that changes the size",
            "`{call}` gives {gives} features, and `{t}` with the shape {shape}, which is added to "
            "it{where}, has others.",
            "Give the shortcut a layer of its own, `self.shortcut = {cure}`, and add "
            "`self.shortcut({t})`.",
        ),
        "zh": Words(
            "捷径绕过了改变大小的层",
            "`{call}` 给出 {gives} 个特征，而与它相加的 `{t}`{where}形状是 {shape}，特征数不同。",
            "请给捷径单独一层：`self.shortcut = {cure}`，并加上 `self.shortcut({t})`。",
        ),
    },
    message=r"must match the size of tensor b",
    find=find,
    broken=PROGRAM.format(size=16),
    sound=PROGRAM.format(size=8),
    before=("operands_differ",),
)
