"""The engine that grows, compared as code: what a chapter's cells define, put into the engine after
the chapter before, is what the file of that chapter holds.

An engine is read as a table, from "Tensor.walk" or "run" to the code of that definition. Imports,
docstrings and the order of the definitions do not count.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from minigrad_lessons.engine import CHAPTERS, HERE

SOURCES = Path(__file__).parents[2] / "lessons" / "src"

Table = dict[str, str]


def table_of(chapter: int) -> Table:
    """The engine of a chapter's file."""
    path = HERE / f"chapter_{chapter:02}.py"
    return defined(ast.parse(path.read_text(encoding="utf-8")).body, {})


def grown(before: Table, cells: str) -> Table:
    """What an engine becomes with the code of a chapter's cells."""
    return defined(ast.parse(cells).body, dict(before))


def defined(body: list[ast.stmt], table: Table) -> Table:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name):
                put(table, placed(statement) + name, statement)
            case ast.ClassDef(name=name):
                forget(table, name)
                put_class(table, statement)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    for each, item in zip(*pairs(target, value), strict=True):
                        put(table, written(each), item)
            case ast.Delete(targets=targets):
                for target in targets:
                    forget(table, written(target))
            case ast.Import() | ast.ImportFrom() | ast.Expr():
                pass
            case _:
                raise ValueError(f"what is this to an engine? {ast.unparse(statement)}")
    return table


def put(table: Table, name: str, code: ast.AST) -> None:
    if isinstance(code, ast.Dict):  # a table of rules, which a chapter may add to
        forget(table, name)
        for key, value in zip(code.keys, code.values, strict=True):
            assert key is not None
            put(table, f"{name}[{ast.unparse(key)}]", value)
    elif not (isinstance(code, ast.Attribute) and written(code) == name):  # RULES = engine.RULES
        inside = name.rpartition(".")[0] + "."  # Tensor.__radd__ = Tensor.__add__
        table[name] = ast.unparse(without_docstring(code)).removeprefix(inside)


def without_docstring(code: ast.AST) -> ast.AST:
    match code:
        case ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str())), *rest]):
            code.body = rest or [ast.Pass()]
    return code


def put_class(table: Table, kind: ast.ClassDef) -> None:
    table[kind.name] = "class " + ", ".join(map(ast.unparse, kind.bases))
    inside = defined(kind.body, {})
    table.update({f"{kind.name}.{name}": code for name, code in inside.items()})


def forget(table: Table, name: str) -> None:
    """This definition is gone, and all that stands in it."""
    for known in [*table]:
        if known == name or known.startswith((name + ".", name + "[")):
            del table[known]


def placed(function: ast.FunctionDef) -> str:
    """ "Tensor." if the function goes into that class. The decorator is no part of the engine."""
    place = ""
    for decorator in [*function.decorator_list]:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "into":
            function.decorator_list.remove(decorator)
            place = written(decorator.args[0])
    return f"{place}." if place not in ("", "engine") else ""


def written(expression: ast.expr) -> str:
    return ast.unparse(expression).removeprefix("engine.")


def pairs(target: ast.expr, value: ast.expr) -> tuple[list[ast.expr], list[ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return target.elts, value.elts
    return [target], [value]


def cells_of(source: str) -> str:
    """The code of the cells tagged `engine` in a chapter's source."""
    found = re.findall(r"```\{code-cell\} ipython3\n:tags: \[engine\]\n(.*?)```", source, re.S)
    return "\n".join(found)


def taught() -> dict[int, str]:
    """The cells of the chapters that have any, by the chapter's number."""
    found = {}
    for path in sorted(SOURCES.glob("[0-9][0-9]_*.md")):
        if cells := cells_of(path.read_text(encoding="utf-8")):
            found[int(path.name[:2])] = cells
    return found


def before(chapter: int) -> Table:
    """The engine that a chapter begins with."""
    earlier = [number for number in CHAPTERS if number < chapter]
    return table_of(earlier[-1]) if earlier else {}
