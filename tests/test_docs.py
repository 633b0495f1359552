"""The API reference has and explains every public name, and needs no network."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ["minigrad", "minigrad_viz"]
MODULES = [
    *PACKAGES,
    *("minigrad.autograd", "minigrad.autograd.events", "minigrad.autograd.functional"),
    "minigrad.autograd.replay",
    *("minigrad.nn", "minigrad.nn.functional"),
    *("minigrad.nn.init", "minigrad.optim", "minigrad.linalg", "minigrad.utils.data"),
    *("minigrad.accelerator", "minigrad.cuda", "minigrad.distributions"),
]


@pytest.fixture(scope="module")
def reference(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages that `make docs` writes."""
    pytest.importorskip("pdoc", reason="pdoc is not installed (pip install '.[test]')")
    folder = tmp_path_factory.mktemp("docs")
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^docs:.*\n\t\$\(BIN\)/python ((?:.*\\\n)*.*)", makefile, re.M)
    assert recipe
    command = recipe[1].replace("\\\n", " ").replace("build/docs", str(folder))
    done = subprocess.run(
        f"{sys.executable} {command}",
        shell=True, cwd=root, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return folder


def public(module: Any) -> list[str]:
    """Return the names that a module exports: `__all__`, or those that it defines."""
    own = [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]
    exported = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return [name for name in exported if not inspect.ismodule(getattr(module, name))]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_its_place(reference: Path, name: str) -> None:
    page = (reference / f"{name.replace('.', '/')}.html").read_text(encoding="utf-8")
    places = set(re.findall(r'id="([^"]+)"', page))
    assert [n for n in public(importlib.import_module(name)) if n not in places] == []


def test_every_tensor_method_is_documented(reference: Path) -> None:
    import minigrad

    page = (reference / "minigrad.html").read_text(encoding="utf-8")
    places = set(re.findall(r'id="Tensor\.([^"]+)"', page))
    methods = [name for name in dir(minigrad.Tensor) if not name.startswith("_")]
    assert len(methods) > 300
    assert [name for name in methods if name not in places] == []


def test_a_function_is_shown_without_its_decorator(reference: Path) -> None:
    """The operation that its decorator takes is not shown."""
    page = (reference / "minigrad.html").read_text(encoding="utf-8")
    assert 'id="tril"' in page
    assert "operation.Operation" not in page


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_explained(name: str) -> None:
    """`newaxis` is None and has no docstring."""
    module = importlib.import_module(name)
    named = {name: getattr(module, name) for name in public(module)}
    assert [n for n, v in named.items() if v is not None and not inspect.getdoc(v)] == []


def test_the_pages_load_nothing_from_elsewhere(reference: Path) -> None:
    pages = list(reference.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', text), page
