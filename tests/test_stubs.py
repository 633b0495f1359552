"""The index and the stubs are what `make stubs` writes, and hold what is there at run time."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

ROOT = Path(__file__).parents[1]
STUBS = sorted((ROOT / "minigrad").rglob("*.pyi"))


def names(body: list[ast.stmt]) -> set[str]:
    """Return the names that a stub declares in a module or a class."""
    found: set[str] = set()
    for part in body:
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            found.add(part.name)
        elif isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__":
            found |= set(ast.literal_eval(part.value))
    return found


def test_make_stubs_would_change_nothing() -> None:
    command = [sys.executable, "-m", "tools.stubs", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_stubs() -> None:
    assert len(STUBS) == 5


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_stub_has_names_of_module(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    written = ast.parse(path.read_text(encoding="utf-8")).body
    source = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8")).body
    classes = {part.name for part in source if isinstance(part, ast.ClassDef)}
    assert names(written) == set(getattr(module, "__all__", classes))


@pytest.mark.parametrize("kind", [minigrad.Tensor, minigrad.Size])
def test_class_has_names_of_stub(kind: type) -> None:
    stub = ast.parse((ROOT / "minigrad/tensors/tensor.pyi").read_text(encoding="utf-8"))
    (body,) = [
        part.body
        for part in stub.body
        if isinstance(part, ast.ClassDef) and part.name == kind.__name__
    ]
    public = {name for name in dir(kind) if not name.startswith("_")}
    below = set(dir(kind.__mro__[-2]))  # TensorBase, or tuple
    assert {name for name in names(body) if not name.startswith("_")} == public - below
    assert all(hasattr(kind, name) for name in names(body))


def test_stub_hides_module_getattr() -> None:
    for path in STUBS:
        assert "__getattr__" not in path.read_text(encoding="utf-8")
