"""Names of leaves whose variables are gone, read from the expressions that used them.

After `viz.draw(f())`, the variables of `f` do not exist any more. But an operation knows the place
in the program that made it: in `x @ W`, the second input of the node has the name W. A leaf gets
such a name only where the code leaves no doubt, and no other tensor has it. What has no name even
then is called after the list or dict that holds it: `params[0]`.
"""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from types import CodeType
from typing import Any

from .autograd_nodes import is_accumulate, node_name, nodes_from
from .last_line import OPERATORS
from .lines import place_noted
from .names import Names


def name_leaves(roots: Iterable[Any], names: Names) -> None:
    """Add names of leaves that have none, as the code of their users calls them."""
    users: dict[int, tuple[Any, set[str | None]]] = {}
    for node in nodes_from((root.grad_fn for root in roots), is_accumulate):
        for slot, (target, _) in enumerate(node.next_functions):
            if target is None or not is_accumulate(target):
                continue
            if names.of(leaf := target.variable) is None:
                _, found = users.setdefault(id(leaf), (leaf, set()))
                found.add(name_of_input(node, slot))
    given = Counter(name for _, name in names.items())
    named = [(found - {None}, leaf) for leaf, found in users.values()]
    sure = [(next(iter(found)), leaf) for found, leaf in named if len(found) == 1]
    given.update(name or "" for name, _ in sure)
    for name, leaf in sure:
        if name and given[name] == 1:
            names.add(name, leaf)
    for name, leaf in names.held:
        names.add(name, leaf)


def name_of_input(node: Any, slot: int) -> str | None:
    """Return what the code calls an input of an operation; None in doubt."""
    place = place_noted(node)
    if not place or (tree := _expression(*place[:2])) is None:
        return None
    own = node_name(node).partition("Backward")[0].lower()
    slots = [target is not None for target, _ in node.next_functions]
    operand = _operand(tree, place[0], own, slots, slot)
    if isinstance(operand, ast.Attribute) and isinstance(operand.value, ast.Name):
        return ast.unparse(operand)
    return operand.id if isinstance(operand, ast.Name) else None


def _operand(
    tree: ast.expr, code: CodeType, own: str, slots: Sequence[bool], slot: int
) -> ast.expr | None:
    """Return the part of an expression that is the input `slot` of the operation `own`."""
    operands = [each for each in _operands(tree, code, own) if not _is_number(each)]
    if len(operands) == 1:
        return operands[0] if sum(slots) == 1 else None
    if len(operands) != len(slots) or own == "rsub":
        return None
    if not isinstance(tree, ast.BinOp) or isinstance(tree.op, ast.MatMult):
        return operands[slot]
    # `number * tensor` has the tensor first.
    if all(slots) or slot == 1:
        return operands[slot]
    made = [each for each in operands if isinstance(each, ast.Name) and each.id in _made_in(code)]
    return made[0] if len(made) == 1 else None


def _operands(tree: ast.expr, code: CodeType, own: str) -> list[ast.expr]:
    """Return the inputs in an expression of this operation, in order; nothing in doubt."""
    match tree:
        case ast.BinOp() if own in OPERATORS.get(type(tree.op), ()):
            return [tree.left, tree.right]
        case ast.UnaryOp() if own in OPERATORS.get(type(tree.op), ()):
            return [tree.operand]
        case ast.Call(func=ast.Attribute(value=receiver, attr=attribute), args=arguments):
            plain = all(isinstance(each.value, ast.Constant) for each in tree.keywords)
            if plain and attribute.replace("_", "").lower() == own:
                known = {*code.co_varnames, *code.co_freevars, *code.co_cellvars}
                library = isinstance(receiver, ast.Name) and receiver.id not in known
                return arguments if library else [receiver, *arguments]
    return []


def _is_number(tree: ast.expr) -> bool:
    return isinstance(tree.operand if isinstance(tree, ast.UnaryOp) else tree, ast.Constant)


@lru_cache(4096)
def _expression(code: CodeType, offset: int) -> ast.expr | None:
    """Return the expression that a place computes."""
    line, last, start, end = next(islice(code.co_positions(), offset // 2, None), (None,) * 4)
    if line is None or last is None or start is None or end is None:
        return None
    lines = [each.encode() for each in linecache.getlines(code.co_filename)[line - 1 : last]]
    if len(lines) != last - line + 1:
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    try:
        return ast.parse(b"(" + b"".join(lines) + b")", mode="eval").body
    except (SyntaxError, ValueError):  # the file was changed since it was imported
        return None


@lru_cache(256)
def _made_in(code: CodeType) -> frozenset[str]:
    """Return the variables of a function that its only assignment makes a leaf."""
    lines = linecache.getlines(code.co_filename)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return frozenset()
    stored: Counter[str] = Counter()
    made: set[str] = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name != code.co_name:
            continue
        beginnings = {function.lineno, *(each.lineno for each in function.decorator_list)}
        for node in ast.walk(function) if code.co_firstlineno in beginnings else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                stored[node.id] += 1
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                given = {each.arg for each in node.value.keywords}
                names = (each.id for each in node.targets if isinstance(each, ast.Name))
                made.update(names if "requires_grad" in given else ())
    return frozenset(name for name in made if stored[name] == 1)
