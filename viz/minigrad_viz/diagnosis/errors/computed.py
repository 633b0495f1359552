"""The value of an expression of the line that raised an error, without the reader's code.

Only views, casts and other plain methods of tensors run, and layers of the library that draw
nothing.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from ...model.names import is_tensor
from ..objects import is_library, is_module

PLAIN = {
    *("transpose", "permute", "unsqueeze", "squeeze", "view", "reshape", "flatten", "contiguous"),
    *("t", "expand", "detach", "float", "double", "long", "int", "bool", "size", "dim", "numel"),
    *("mean", "sum", "argmax", "max", "min", "norm", "softmax", "abs", "sqrt", "exp"),
}
"""Methods of tensors that change nothing."""

LAYERS = ("Linear", "Embedding", "LayerNorm", "Flatten")
"""Layers whose result is computed: they draw nothing and keep nothing."""

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.MatMult: operator.matmul,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
}

MOST = 10**6
"""Elements of a tensor with which to compute."""


def computed(tree: ast.expr, known: Callable[[ast.expr], Any]) -> Any:
    """Return the value of an expression, or None. `known` gives that of a variable."""
    value = evaluate(tree, known)
    return value if is_plain(value) else None


def evaluate(tree: ast.expr | None, known: Callable[[ast.expr], Any]) -> Any:
    if isinstance(tree, ast.Constant):
        return tree.value
    if isinstance(tree, ast.Slice):
        return slice(*(evaluate(each, known) for each in (tree.lower, tree.upper, tree.step)))
    if isinstance(tree, ast.Tuple):
        return tuple(operand(each, known) for each in tree.elts)
    if isinstance(tree, ast.UnaryOp):
        value = operand(tree.operand, known)
        return -value if isinstance(tree.op, ast.USub) else ~value
    if isinstance(tree, ast.BinOp):
        return OPERATORS[type(tree.op)](operand(tree.left, known), operand(tree.right, known))
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = operand(tree.left, known), operand(tree.comparators[0], known)
        return OPERATORS[type(tree.ops[0])](left, right)
    if isinstance(tree, ast.Subscript):
        return operand(tree.value, known)[operand(tree.slice, known)]
    if isinstance(tree, ast.Attribute) and tree.attr in ("T", "mT", "shape"):
        return getattr(operand(tree.value, known), tree.attr)
    return called(tree, known) if isinstance(tree, ast.Call) else None


def called(tree: ast.Call, known: Callable[[ast.expr], Any]) -> Any:
    """Return the result of a plain method, or of a layer that draws nothing."""
    function, given = tree.func, [operand(each, known) for each in tree.args]
    words = {str(each.arg): operand(each.value, known) for each in tree.keywords}
    module = known(function)
    if is_module(module) and type(module).__name__ in LAYERS and is_library(type(module)):
        return type(module).forward(module, *given)
    if isinstance(function, ast.Attribute) and function.attr in PLAIN:
        owner = operand(function.value, known)
        return getattr(owner, function.attr)(*given, **words) if is_tensor(owner) else None
    return None


def operand(tree: ast.expr, known: Callable[[ast.expr], Any]) -> Any:
    """Return a plain value; raise for any other, whose methods may be the reader's."""
    value = known(tree)
    value = evaluate(tree, known) if value is None else value
    if not is_plain(value) and not isinstance(tree, ast.Constant | ast.Slice):
        raise LookupError(ast.unparse(tree))
    return value


def is_plain(value: Any) -> bool:
    """Return whether a value is a number, some of them, or a tensor of the library's own class."""
    if isinstance(value, tuple):
        return all(is_plain(each) or isinstance(each, slice | None | type(...)) for each in value)
    if is_tensor(value):
        return type(value).__name__ in ("Tensor", "Parameter") and value.numel() <= MOST
    return type(value) in (int, float, bool)
