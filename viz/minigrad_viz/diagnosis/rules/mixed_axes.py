"""A view of a tensor that has its lengths in another order: it mixes the axes."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ...model.values import shape_of
from ..syntax import calls_in, last_name, written_number
from .evidence import Evidence, calls_at
from .programs import training
from .rule import Match, Rule, Words
from .scoped import behind

VIEWS = ("View", "UnsafeView", "ReshapeAlias")


def find(evidence: Evidence) -> Match | None:
    """Find a view of a variable, or of a computed result, with its lengths in another order."""
    for statement, call, owner, shapes in views(evidence):
        row = call.args[0] if len(call.args) == 1 else None
        lengths = row.elts if isinstance(row, ast.Tuple | ast.List) else call.args
        numbers = [length(evidence, each) for each in lengths]
        for shape in shapes:
            known = numbers
            part = lengths and shape == shapes[0] != shapes[-1]
            if part and written_number(lengths[0]) is None:
                known = [shape[0], *numbers[1:]]  # a batch has any number of rows
            given = whole_shape(known, math.prod(shape))
            if len(given) != len(lengths) or len(given) < 3 or 1 in given:
                continue
            if sorted(map(str, given)) == sorted(map(str, shape)) and tuple(given) != shape:
                if (order := order_of(given, shape)) is not None:
                    name = ast.unparse(getattr(call.func, "value", call.func))
                    method = "transpose" if isinstance(owner, np.ndarray) else "permute"
                    instead = f"{name}.{method}({', '.join(map(str, order))})"
                    return describe(evidence, statement, name, shape, instead)
    return find_unpacked(evidence) or find_computed(evidence)


def views(
    evidence: Evidence,
) -> Iterator[tuple[Statement, ast.Call, Any, list[tuple[int, ...]]]]:
    """Yield the views of data, with the data and the shapes that they may have.

    A part of data, `images[i]`, has their shape with other rows, or that of one row. So has the
    batch that a loop takes from a loader.
    """
    for statement in dict.fromkeys((*evidence.lines, *evidence.forward_lines, *evidence.written)):
        for call in calls_in(statement.tree):
            if isinstance(call.func, ast.Attribute) and call.func.attr in ("view", "reshape"):
                owner, _, part = behind(evidence, call.func.value, statement)
                if is_tensor(owner) or isinstance(owner, np.ndarray):
                    shape = shape_of(owner)
                    yield statement, call, owner, [shape, shape[1:]] if part else [shape]


def describe(
    evidence: Evidence,
    line: Statement,
    name: str,
    shape: Sequence[object],
    instead: str,
    *nodes: Any,
) -> Match:
    shown = f"[{', '.join(map(str, shape))}]"
    parts = {"line": evidence.context.line(line), "t": name, "shape": shown, "instead": instead}
    return Match(parts, (name,), nodes)


def find_unpacked(evidence: Evidence) -> Match | None:
    """Find `x.view(n, t, c)` after `n, c, t = x.shape`: the same lengths in another order."""
    for lines in (*(statements for *_, statements in evidence.forwards), evidence.lines):
        known: dict[str, list[str]] = {}
        for statement in lines:
            for call in calls_in(statement.tree):
                if last_name(call) not in ("view", "reshape") or len(call.args) < 2:
                    continue
                name = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
                had, given = known.get(name, []), [ast.unparse(each) for each in call.args]
                if had != given and sorted(had) == sorted(given) and len({*given}) > 2:
                    order = ", ".join(str(had.index(each)) for each in given)
                    return describe(evidence, statement, name, had, f"{name}.permute({order})")
            given_anew = assigned(statement.tree)
            known = {n: had for n, had in known.items() if not {n, *had} & given_anew}
            if (unpacked := lengths_of(statement)) is not None:
                known[unpacked[0]] = unpacked[1]
    return None


def lengths_of(statement: Statement) -> tuple[str, list[str]] | None:
    """Return `x` and the names in `n, c, t = x.shape`; `x.size()` counts."""
    tree = statement.tree
    target = tree.targets[0] if isinstance(tree, ast.Assign) else None
    value = tree.value if isinstance(tree, ast.Assign) else None
    if isinstance(value, ast.Call) and last_name(value) == "size" and not value.args:
        value = value.func
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Attribute):
        return None
    names = [each.id for each in target.elts if isinstance(each, ast.Name)]
    shaped = value.attr in ("shape", "size") and len(names) == len(target.elts)
    return (ast.unparse(value.value), names) if shaped else None


def order_of(given: list[int], shape: tuple[int, ...]) -> list[int] | None:
    """Return the order of axes that gives these lengths, if it is the only one that makes sense.

    Axes of one length keep their order.
    """
    left, order = [*range(len(shape))], []
    for length in given:
        place = next(i for i in left if shape[i] == length)
        left.remove(place)
        order.append(place)
    repeated = len(shape) - len({*shape})
    same = [place for place in order if shape.count(shape[place]) > 1]
    sides = repeated == 1 and same in ([1, 2], [0, 1]) and len(shape) == 3 + same[0]
    pictures = sides and order.index(same[1]) - order.index(same[0]) == 1
    return order if repeated == 0 or pictures else None


def length(evidence: Evidence, tree: ast.expr) -> int | None:
    """Return the whole number that an expression writes or a variable holds, or a tensor's length.

    `len(x)`, `x.shape[1]` and `x.size(1)` are lengths.
    """
    number = written_number(tree)
    if isinstance(tree, ast.Name | ast.Attribute):
        number = evidence.object(tree)
    owner: Any = None
    place: Any = 0
    match tree:
        case ast.Call(func=ast.Name(id="len"), args=[owner]):
            pass
        case ast.Call(func=ast.Attribute(value=owner, attr="size"), args=[ast.Constant(place)]):
            pass
        case ast.Subscript(ast.Attribute(value=owner, attr="shape"), ast.Constant(place)):
            pass
    value = None if owner is None else evidence.object(owner)
    shape = shape_of(value) if is_tensor(value) or isinstance(value, np.ndarray) else ()
    if type(place) is int and -len(shape) <= place < len(shape):
        number = shape[place]
    return number if type(number) is int else None


def whole_shape(lengths: list[int | None], count: int) -> list[int]:
    """Return the lengths with the one written as -1 filled in, or [] if one is unknown."""
    known = [n for n in lengths if n is not None]
    if len(known) < len(lengths) or known.count(-1) > 1:
        return []
    rest = math.prod(n for n in known if n != -1)
    return [count // rest if n == -1 and rest else n for n in known]


def find_computed(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        before, index = node.next_functions[0] if node.next_functions else (None, 0)
        if evidence.kind(node) not in VIEWS or before is None:
            continue
        given, shape = evidence.shape(before, index), evidence.shape(node)
        match = find_second_first(evidence, node, given) or find_classes(evidence, node, given)
        if match is not None:
            return match
        if given == shape or sorted(given) != sorted(shape) or len(shape) < 3 or 1 in shape:
            continue
        line, order = evidence.node_line(node), order_of(list(shape), given)
        for call in calls_at(line):
            moved = [i for i, n in enumerate(shape) if n != given[i]]
            if line is not None and order and is_view(call, moved, len(shape)):
                name = ast.unparse(getattr(call.func, "value", call.func))
                instead = f"{name}.permute({', '.join(map(str, order))})"
                return describe(evidence, line, name, given, instead, node)
    return None


def find_second_first(evidence: Evidence, node: Any, given: tuple[int, ...]) -> Match | None:
    """Find a view of shape (a, b, c) as (b, a * c): the second axis does not become the first."""
    shape, line = evidence.shape(node), evidence.node_line(node)
    if len(given) != 3 or len(shape) != 2 or shape[0] != given[1] or line is None:
        return None
    for call in calls_at(line) if 1 < given[0] != given[1] > 1 else ():
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("view", "reshape"):
            name = ast.unparse(call.func.value)
            instead = f"{name}.permute(1, 0, 2).reshape({shape[0]}, -1)"
            return describe(evidence, line, name, given, instead, node)
    return None


def find_classes(evidence: Evidence, node: Any, given: tuple[int, ...]) -> Match | None:
    """Find scores (rows, classes, places) of a convolution viewed as rows of classes."""
    shape, line, before = evidence.shape(node), evidence.node_line(node), node.next_functions[0][0]
    for _ in range(MOST_BETWEEN):
        if evidence.kind(before) not in KEEPING:
            break
        before = before.next_functions[0][0]
    rows = len(given) > 2 and shape == (math.prod(given) // given[1], given[1])
    users = {evidence.kind(each) for each in evidence.parents.get(id(node), [])}
    if not rows or given[1] == shape[0] or evidence.kind(before) != "Convolution" or line is None:
        return None
    for call in calls_at(line) if "LogSoftmax" in users else ():
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("view", "reshape"):
            name = ast.unparse(call.func.value)
            order = ", ".join(map(str, (0, *range(2, len(given)), 1)))
            instead = f"{name}.permute({order}).reshape(-1, {given[1]})"
            return describe(evidence, line, name, given, instead, node)
    return None


MOST_BETWEEN = 6
KEEPING = ("Relu", "NativeBatchNorm", "CudnnBatchNorm", "UpsampleNearest2D", "UpsampleBilinear2D",
           "UpsampleNearest1D", "Mul", "Add", "Div")  # fmt: skip
"""Operations after a convolution that leave the classes where they are."""


def is_view(call: ast.Call, moved: list[int], count: int) -> bool:
    """Return whether a call is a view by that many lengths; the moved ones are not computed."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("view", "reshape"):
        return False
    row = call.args[0] if len(call.args) == 1 else None
    lengths = row.elts if isinstance(row, ast.Tuple | ast.List) else call.args
    plain = not any(isinstance(lengths[i], ast.BinOp) for i in moved if i < len(lengths))
    return len(lengths) == count and plain


PROGRAM = training(
    net="table, head = T.nn.Embedding(9, 5), T.nn.Linear(5, 3)",
    data="words = T.randint(0, 9, (8, 4))",
    inside="scores = head(table(words)).{method}\n"
    "loss = T.nn.functional.cross_entropy(scores, words % 3)",
)

RULE = Rule(
    key="mixed_axes",
    chapter="6",
    en=Words(
        "a view that mixes axes",
        "{line} gives `{t}`, of shape {shape}, its lengths in another order: a view leaves the "
        "numbers where they are, so it mixes the axes.",
        "Exchange the axes with `{instead}`.",
    ),
    zh=Words(
        "view 打乱了坐标轴",
        "{line}把形状为 {shape} 的 `{t}` 的各个长度换了顺序：view 不移动数据，所以各轴的内容混在一"
        "起。",
        "请用 `{instead}` 交换坐标轴。",
    ),
    find=find,
    broken=PROGRAM.format(method="view(8, 3, 4)"),
    sound=PROGRAM.format(method="permute(0, 2, 1)"),
)
