"""A shortcut around layers that change the size: `self.lin(x) + x`, `out += identity`."""

from __future__ import annotations

import ast
import re

from ...model.names import is_tensor
from ...model.values import shape_of
from ..objects import is_module
from ..rules.rule import Match, Words
from .raised import Raised
from .rule import ErrorRule

Sizes = tuple[int, ...]


def find(raised: Raised) -> Match | None:
    """Find a sum in forward of what a module is given and what its layers made of it."""
    sizes = raised.match(r"\((\d+)\) must match .*\((\d+)\) at non-singleton dimension (\d+)")
    tree = raised.tree or ast.Pass()
    added = [(n.left, n.right) for n in ast.walk(tree) if isinstance(n, ast.BinOp) and is_sum(n)]
    if isinstance(tree, ast.AugAssign) and is_sum(tree):
        added.append((tree.target, tree.value))
    given = raised.calls[-1].args if raised.calls else ()
    for pair in added if sizes is not None else ():
        for made, short in (pair, pair[::-1]):
            value = raised.object(short)
            if not any(each is value for each in given) or not is_tensor(value):
                continue
            if (shape := shape_made(raised, made, shape_of(value), sizes)) is None:
                continue
            if cure := connecting(raised, shape_of(value), shape):
                parts = {"made": ast.unparse(made), "t": ast.unparse(short), "cure": cure}
                return Match({**parts, "shape": str(shape_of(value)), "gives": str(shape)})
    return None


def is_sum(tree: ast.BinOp | ast.AugAssign) -> bool:
    return isinstance(tree.op, ast.Add)


def shape_made(
    raised: Raised, made: ast.expr, given: Sizes, message: re.Match[str] | None
) -> Sizes | None:
    """Return the shape of what layers made; of a call's result, the message has one size."""
    value, axis = raised.object(made), int(message[3]) if message is not None else 0
    if is_tensor(value):
        made_by_layers = value.requires_grad or isinstance(made, ast.Call)
        return shape_of(value) if made_by_layers and not isinstance(made, ast.BinOp) else None
    module = raised.object(made.func) if isinstance(made, ast.Call) else None
    if message is None or not is_module(module) or axis >= len(given):
        return None
    other = next((int(n) for n in (message[1], message[2]) if int(n) != given[axis]), 0)
    return (*given[:axis], other, *given[axis + 1 :])


def connecting(raised: Raised, given: Sizes, made: Sizes) -> str:
    """Return a layer that turns one shape into the other, or ""."""
    if len(given) == len(made) and given[:-1] == made[:-1] and len(given) < 4:
        first = written(raised, "in_features", 0, given[-1])
        return f"{raised.nn}.Linear({first}, {written(raised, 'out_features', 1, made[-1])})"
    if len(given) != len(made) or len(given) != 4 or given[0] != made[0] or 0 in made:
        return ""
    stride = -(-given[-1] // made[-1])
    if any(-(-one // stride) != other for one, other in zip(given[2:], made[2:], strict=True)):
        return ""
    first = written(raised, "in_channels", 0, given[1])
    last = written(raised, "out_channels", 1, made[1])
    more = f", stride={written(raised, 'stride', 3, stride)}" if stride > 1 else ""
    return f"{raised.nn}.Conv2d({first}, {last}, 1{more})"


def written(raised: Raised, name: str, place: int, size: int) -> str:
    """Return a size as the program writes it where it makes a layer of the running module."""
    layers = [*raised.calls[-1].module.modules()]
    for layer in layers if name.startswith("in_") else layers[::-1]:
        if getattr(layer, name, None) in (size, (size, size)):
            made = raised.maker_of(layer)
            given = made[1].args[place : place + 1] if made is not None else []
            given += [w.value for w in made[1].keywords if w.arg == name] if made else []
            if given:
                return ast.unparse(given[0])
    return str(size)


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
    en=Words(
        "a shortcut around a layer that changes the size",
        "`{made}` has the shape {gives}, and `{t}`, which is added to it{where}, has {shape}.",
        "Give the shortcut a layer of its own in `__init__`, `self.shortcut = {cure}`, and add "
        "`self.shortcut({t})`.",
    ),
    zh=Words(
        "捷径绕过了改变大小的层",
        "`{made}` 的形状是 {gives}，而与它相加的 `{t}`{where}形状是 {shape}。",
        "请在 `__init__` 里给捷径单独一层：`self.shortcut = {cure}`，并加上 `self.shortcut({t})`。",
    ),
    message=r"must match the size of tensor b",
    find=find,
    broken=PROGRAM.format(size=16),
    sound=PROGRAM.format(size=8),
    before=("operands_differ",),
)
