"""A method that a subclass has to bring says so when it has not: it does not do nothing."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import minigrad

ROOT = Path(minigrad.__file__).parent


def only_raises(function: ast.FunctionDef) -> bool:
    """Whether all that a function does is to raise NotImplementedError."""
    body = [part for part in function.body if not isinstance(part, ast.Expr)] or [ast.Pass()]
    text = ast.unparse(body[0])
    return len(body) == 1 and text.startswith("raise NotImplementedError") and "ctx." not in text


def declared() -> Iterator[tuple[str, str, str]]:
    """The module, class and name of each such method."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(part, ast.ClassDef):
                continue
            for each in part.body:
                if isinstance(each, ast.FunctionDef) and only_raises(each):
                    yield ".".join(parts).removesuffix(".__init__"), part.name, each.name


def test_there_are_some() -> None:
    assert len({*declared()}) > 10


@pytest.mark.parametrize(("module", "owner", "name"), sorted({*declared()}))
def test_what_is_left_to_a_subclass_raises(module: str, owner: str, name: str) -> None:
    found: Any = vars(getattr(importlib.import_module(module), owner))[name]
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__func__", found)
    needed = [
        p
        for p in inspect.signature(found).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    with pytest.raises(NotImplementedError):
        found(*[None] * len(needed))
