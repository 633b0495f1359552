"""The library's calls that end a history: they have no slope, or they leave the graph."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from ..model.program_text import Statement
from .fate import Cut, Fate
from .syntax import CASTS, is_grad, keyword, last_name, to_integers

INDICES = {"argmax", "argmin", "argsort", "nonzero", "bincount", "multinomial", "count_nonzero"}
INDICES |= {"searchsorted", "bucketize", "histc"}
COMPARISONS = {"eq", "ne", "gt", "ge", "lt", "le", "greater", "less", "equal", "isclose"}
COMPARISONS |= {"logical_not", "logical_and", "logical_or", "isnan", "isinf", "isfinite"}
NUMBERS = {"item": "item()", "tolist": "tolist()", "numpy": "numpy()"}
COPIES = {"tensor", "from_numpy"}


def after_call(
    tree: ast.Call, fate: Fate, at: Statement, what: str, other: str, method: bool, module: Any
) -> Fate:
    """Return the fate of what a call of the library returns.

    `fate` is that of the arguments, and `other` the text of an argument with a history. `module` is
    the called object if it is known.
    """
    called = last_name(tree)
    if called == "detach":
        return fate.cut("cut_detach", at, what, other)
    if called in NUMBERS and method:
        return _as_numbers(fate, called, at, what, other)
    if called in ("float", "int", "complex") and not method:
        return fate.cut("cut_number", at, f"{called}()", other)
    if str(getattr(module, "__module__", "")) == "math":
        return fate.cut("cut_number", at, f"{ast.unparse(tree.func)}()", other)
    if called == "sample" and method and not tree.args:
        return fate.cut("cut_sample", at, what, other)
    if called in INDICES:
        return fate.cut("cut_indices", at, what, other)
    if called in COMPARISONS:
        return fate.cut("cut_comparison", at, what, other)
    if (called in CASTS and method) or (called in ("to", "type") and to_integers(tree)):
        return fate.cut("cut_cast", at, what, other)
    if called in COPIES and not method:
        return fate.cut("cut_copied", at, what, other)
    if is_grad(tree):
        return _grad(tree, fate, at, what)
    numpy = getattr(module, "__module__", None) or type(module).__module__
    if fate.cuts and str(numpy).partition(".")[0] == "numpy":
        cuts = (
            c if c.instead or c.key != "cut_numpy" else replace(c, instead=call_of(tree, c))
            for c in fate.cuts
        )
        return replace(fate, cuts=tuple(cuts))
    return fate


def call_of(tree: ast.Call, cut: Cut) -> str:
    """Return `clip(h, -1, 1)` for `np.clip(h.detach().numpy(), -1, 1)`, or "" if it is unsure."""
    if tree.keywords or not tree.args:
        return ""
    first, *others = (ast.unparse(each) for each in tree.args)
    if cut.what in first:
        first = first.replace(cut.what, cut.other).replace(".numpy()", "")
    elif isinstance(tree.args[0], ast.Name):
        first = cut.other
    else:
        return ""
    return f"{last_name(tree)}({', '.join([first, *others])})"


def _as_numbers(fate: Fate, called: str, at: Statement, what: str, other: str) -> Fate:
    key = "cut_numpy" if called == "numpy" else "cut_number"
    if key == "cut_numpy" and fate.kind == "cut" and fate.cuts[-1].statement == at:
        # `y.detach().numpy()`: the goal was NumPy.
        cuts = (
            replace(c, key=key, what=what) if c.key in ("cut_detach", "cut_data") else c
            for c in fate.cuts
        )
        return replace(fate, cuts=tuple(cuts))
    return fate.cut(key, at, f".{NUMBERS[called]}" if key == "cut_number" else what, other)


def _grad(tree: ast.Call, fate: Fate, at: Statement, what: str) -> Fate:
    """autograd.grad() without create_graph returns a gradient without history."""
    if fate.kind != "live" or keyword(tree, "create_graph") is not None:
        return fate
    return fate.cut("no_create_graph", at, what, ast.unparse(tree.args[0]))
