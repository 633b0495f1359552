"""Functions of the product are short, and take few parameters."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import minigrad as mg
from tests.test_house import STOREYS

ROOT = Path(__file__).parents[1]
PRODUCT = ("minigrad", "viz/minigrad_viz", "lessons/minigrad_lessons", "tools")

MOST_LINES = 60
"""Without the docstring."""

MOST_PARAMETERS = 8
"""Besides `self`."""

LIKE_BACKWARD = {"viz/minigrad_viz/stepper/step.py:step"}
"""Functions that take the arguments of `Tensor.backward`, which do not count."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@functools.cache
def functions() -> list[tuple[str, Function]]:
    """Return the path and the syntax tree of each function."""
    return list(read_functions())


def read_functions() -> Iterator[tuple[str, Function]]:
    for folder in PRODUCT:
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if "node_modules" in name:
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, Function):
                    yield name, node


def lines_without_docstring(function: Function) -> int:
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def parameters(function: Function) -> list[str]:
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in names if name not in ("self", "cls")]


def mirrors_pytorch(name: str, function: Function) -> bool:
    """Whether a function has PyTorch's signature: by its schema, or in a namespace of PyTorch's."""
    package, _, rest = name.partition("/")
    if package == "minigrad" and rest.partition("/")[0] not in STOREYS:
        return True
    return any(ast.unparse(each).startswith("schema(") for each in function.decorator_list)


def test_functions_are_short() -> None:
    long = {
        f"{name}:{function.name}": lines
        for name, function in functions()
        if (lines := lines_without_docstring(function)) > MOST_LINES
    }
    assert long == {}


def test_functions_take_few_parameters() -> None:
    backward = mg.Tensor.backward.__code__.co_varnames
    many = {}
    for name, function in functions():
        names = parameters(function)
        if f"{name}:{function.name}" in LIKE_BACKWARD:
            names = [each for each in names if each not in ("tensor", *backward)]
        if len(names) > MOST_PARAMETERS and not mirrors_pytorch(name, function):
            many[f"{name}:{function.name}"] = len(names)
    assert many == {}
