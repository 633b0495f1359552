"""Rewriting code: names replaced by expressions, and arithmetic as one writes it by hand.

A rewriting changes no node. It returns new ones where something is new, and the others as they are,
so that pieces of code can be shared.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from operator import is_not
from typing import Any, cast

import numpy as np

from .constants import numpy_name

LEAVES = (ast.operator, ast.unaryop, ast.cmpop, ast.expr_context, ast.Constant)
"""Parts that no rewriting changes."""


class Rewriting(ast.NodeVisitor):
    """Returns what a node becomes."""

    def visit(self, node: ast.AST) -> Any:
        kind = type(node)
        if kind not in self._methods:
            name = f"visit_{kind.__name__}"
            self._methods[kind] = getattr(type(self), name, Rewriting.generic_visit)
        return self._methods[kind](self, node)

    def __init_subclass__(cls) -> None:
        cls._methods = {}

    _methods: dict[type[ast.AST], Callable[[Any, Any], Any]]
    """The method of a class for each kind of node, once it is known."""

    def generic_visit(self, node: ast.AST) -> Any:
        new: dict[str, Any] = {}
        # Only Python's own fields: other tools may have put a node's parent into it.
        for name, old in node.__dict__.items():
            if name not in node._fields:
                continue
            if isinstance(old, list):
                several = [self.visit(x) if isinstance(x, ast.AST) else x for x in old]
                if any(map(is_not, several, old)):
                    new[name] = several
            elif isinstance(old, ast.AST) and not isinstance(old, LEAVES):
                found = self.visit(old)
                if found is not old:
                    new[name] = found
        return type(node)(**(dict(ast.iter_fields(node)) | new)) if new else node


class Replacement(Rewriting):
    """Replace names by expressions, and `x.T.T` by `x`."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        inner = self.visit(node.value)
        if node.attr == "T" and isinstance(inner, ast.Attribute) and inner.attr == "T":
            return inner.value
        return ast.Attribute(inner, node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Replace `x[part][...]` by `x[part]`."""
        inner, index = self.visit(node.value), self.visit(node.slice)
        context = getattr(node, "ctx", ast.Load())
        if is_all(index) and isinstance(inner, ast.Subscript):
            inner, index = inner.value, cast(Any, inner).slice
        return ast.Subscript(inner, index, context)


def is_all(index: ast.expr) -> bool:
    """Whether an index is `...`."""
    return isinstance(index, ast.Constant) and index.value is Ellipsis


class Handwriting(Rewriting):
    """Rewrite fast code as one writes it by hand: the gradient first, 1 - a * b for -a * b + 1, and
    np.where for arithmetic with bits."""

    def __init__(self, gradients: set[str]) -> None:
        self.gradients = gradients

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Mult) and isinstance(left, ast.BinOp):
            if isinstance(right, ast.Name) and right.id in self.gradients:
                left, right = right, left
        product = isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult)
        if isinstance(node.op, ast.Add) and isinstance(right, ast.Constant) and product:
            factor = left.left
            if isinstance(factor, ast.UnaryOp) and isinstance(factor.op, ast.USub):
                positive = ast.BinOp(factor.operand, ast.Mult(), left.right)
                return ast.BinOp(right, ast.Sub(), positive)
        return ast.BinOp(left, node.op, right)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Replace `x[...]` by `x`. (Of a NumPy scalar, `x[...]` is an array.)"""
        found = self.generic_visit(node)
        if is_all(found.slice) and not isinstance(getattr(node, "ctx", None), ast.Store):
            return cast(ast.AST, found.value)
        index = found.slice
        if isinstance(index, ast.Tuple) and len(index.elts) > 1 and is_all(index.elts[-1]):
            short = index.elts[0] if len(index.elts) == 2 else ast.Tuple(index.elts[:-1])
            return ast.Subscript(found.value, short, getattr(node, "ctx", ast.Load()))
        return cast(ast.AST, found)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace the arithmetic of `masked` in pointwise/elementwise.py by np.where."""
        found = self.generic_visit(node)
        match found:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.BinOp(
                        left=ast.Call(func=ast.Attribute(value=x, attr="view")),
                        op=ast.BitAnd(),
                        right=ast.UnaryOp(
                            op=ast.USub(),
                            operand=ast.Call(func=ast.Attribute(value=mask, attr="astype")),
                        ),
                    ),
                    attr="view",
                )
            ):
                return ast.Call(numpy_name(np.where), [mask, x, ast.Constant(0)], [])
        return cast(ast.AST, found)
