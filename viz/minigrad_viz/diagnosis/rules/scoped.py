"""The object behind an expression, followed through assignments, arguments and loaders."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from ...model.names import is_tensor
from ...model.program_text import Statement
from ..objects import is_module
from ..syntax import calls_in, last_name
from .evidence import Evidence, tree_of

DEEPEST = 8
"""Lines to follow an expression through."""

CASTS = ("contiguous", "clone", "detach", "float", "double", "half", "long", "to", "cpu", "cuda",
         "requires_grad_", "enumerate", "tqdm", "iter", "from_numpy", "as_tensor")  # fmt: skip
"""Calls that keep shape and meaning."""

OF_FIRST = ("enumerate", "tqdm", "iter", "from_numpy", "as_tensor")
"""Those that keep their first argument."""

SHAPED = (*CASTS, "view", "reshape", "unsqueeze", "squeeze", "flatten", "ravel")


class Found(NamedTuple):
    """An object, its name, and whether the expression is a part of it."""

    value: Any
    name: str
    part: bool = False


class Giver(NamedTuple):
    """An expression that gives a variable its value, its place in that, and where it stands."""

    value: ast.expr
    place: int
    function: ast.FunctionDef | None
    line: int


def behind(
    evidence: Evidence, tree: ast.expr | None, at: Statement, calls: tuple[str, ...] = CASTS
) -> Found:
    """Return the object that an expression of a line stands for, or that it is a part of.

    `calls` keep it. A batch of a `TensorDataset` is a part of one of its tensors.
    """
    function, line, place, part = function_around(evidence, at), at.line, -1, False
    for _ in range(DEEPEST):
        tree, cut = stripped(tree, calls)
        part |= cut
        given = None
        if isinstance(tree, ast.Name) and function is not None:
            given = giver_of(evidence, tree.id, function, line)
            if given is None and is_local(function, tree.id):
                break
        if given is not None:
            if place >= 0 <= given.place:
                break
            tree, function, line = given.value, given.function, given.line
            place = max(place, given.place)
            continue
        if not isinstance(tree, ast.Name | ast.Attribute | ast.Subscript):
            break
        value, name = global_value(evidence, tree)
        if value is None and isinstance(tree, ast.Subscript):
            tree, part = tree.value, True
            continue
        if type(value).__name__ == "DataLoader" and place >= 0:
            tensors = getattr(value.dataset, "tensors", ())
            value, part = tensors[place] if place < len(tensors) else None, True
        return Found(value, name, part)
    return Found(None, "")


def stripped(tree: ast.expr | None, calls: tuple[str, ...]) -> tuple[ast.expr | None, bool]:
    """Return an expression without the calls that keep it and its rows, and whether it has rows."""
    part = False
    while tree is not None:
        if isinstance(tree, ast.Call) and last_name(tree) in calls:
            first = last_name(tree) in OF_FIRST
            tree = next(iter(tree.args), None) if first else getattr(tree.func, "value", None)
        elif isinstance(tree, ast.Subscript) and not isinstance(tree.slice, ast.Constant):
            tree, part = None if isinstance(tree.slice, ast.Tuple) else tree.value, True
        else:
            break
    return tree, part


def global_value(evidence: Evidence, tree: ast.expr) -> tuple[Any, str]:
    """Return what a name of the running functions stands for; `self.x` is that of any object."""
    name = ast.unparse(tree)
    if (value := evidence.object(tree)) is not None or not name.startswith("self."):
        return value, name
    for variable, each in evidence.context.variables.items():
        for owner, text in ((each, variable), (getattr(each, "dataset", None), variable)):
            if not isinstance(owner, type) and name[5:] in getattr(owner, "__dict__", {}):
                return vars(owner)[name[5:]], f"{text}.{name[5:]}"
    return None, name


@cache
def functions_of(text: str) -> tuple[ast.FunctionDef, ...]:
    return tuple(n for n in ast.walk(tree_of(text)) if isinstance(n, ast.FunctionDef))


def function_around(evidence: Evidence, at: Statement | ast.AST) -> ast.FunctionDef | None:
    """Return the innermost function that a line or an expression stands in."""
    line = at.line if isinstance(at, Statement) else getattr(at, "lineno", 0)
    shown = at.text.strip().partition("\n")[0] if isinstance(at, Statement) else ""
    around = [
        function
        for text in evidence.texts
        for function in functions_of(text)
        if function.lineno <= line <= (function.end_lineno or 0)
        and shown in "".join(text.splitlines()[line - 1 : line])
    ]
    return max(around, key=lambda each: each.lineno, default=None)


def is_local(function: ast.FunctionDef, name: str) -> bool:
    stored = (n for n in ast.walk(function) if isinstance(n, ast.Name))
    given = {n.id for n in stored if isinstance(n.ctx, ast.Store)}
    return name in given or name in [each.arg for each in function.args.args]


def giver_of(evidence: Evidence, name: str, function: ast.FunctionDef, line: int) -> Giver | None:
    """Return the only expression that gives a local variable its value before a line."""
    given = [*assignments(function, name, line)]
    if not given and name in (parameters := [each.arg for each in function.args.args]):
        place = parameters.index(name) - (parameters[0] == "self")
        for call in calls_of(evidence, function):
            words = [word.value for word in call.keywords if word.arg == name]
            for value in (*call.args[place : place + 1], *words):
                given.append(Giver(value, -1, function_around(evidence, call), call.lineno))
    if len({ast.unparse(each.value) for each in given}) > 1:  # that of training counts
        lines = {statement.line for statement in evidence.repeated}
        given = [each for each in given if each.line in lines]
    return given[-1] if len({ast.unparse(each.value) for each in given}) == 1 else None


def assignments(function: ast.FunctionDef, name: str, line: int) -> Iterator[Giver]:
    """Yield what gives a variable a value in the lines of a function before a line."""
    for node in (n for n in ast.walk(function) if isinstance(n, ast.stmt)):
        target: Any = None
        value: Any = None
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AugAssign | ast.For):
            target, value = node.target, node.iter if isinstance(node, ast.For) else node
        if target is None or node.lineno >= line:
            continue
        if isinstance(value, ast.Call) and last_name(value) == "enumerate":
            target = target.elts[1] if isinstance(target, ast.Tuple) else target
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        for place, part in enumerate(parts):
            if isinstance(part, ast.Name) and part.id == name:
                inside = isinstance(value, ast.Tuple) and len(parts) > 1
                given: Any = value.elts[place] if inside else value
                own = place if len(parts) > 1 and not inside else -1
                yield Giver(given, own, function, node.lineno)


def calls_of(evidence: Evidence, function: ast.FunctionDef) -> Iterator[ast.Call]:
    """Yield the calls that enter a function; those of `forward` call a module of its class."""
    trees = [tree_of(text) for text in evidence.texts]
    kinds = [n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    within = (k for k in kinds if function.lineno in [each.lineno for each in k.body])
    owner = next((kind.name for kind in within), "")
    for call in (c for tree in trees for c in calls_in(tree)):
        if function.name != "forward":
            if last_name(call) == function.name:
                yield call
        elif is_module(module := global_value(evidence, call.func)[0]):
            if type(module).__name__ == owner:
                yield call


def data_behind(
    evidence: Evidence, tree: ast.expr | None, at: Statement, calls: tuple[str, ...] = CASTS
) -> tuple[str, Any]:
    """Return the name and the tensor behind an expression, or "" and None."""
    value, name, _ = behind(evidence, tree, at, calls)
    return (name, value) if is_tensor(value) else ("", None)
