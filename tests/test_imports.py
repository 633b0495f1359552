"""`import package.folder.file as m` gives that file: no name in an index hides it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

PACKAGES = ("minigrad", "viz/minigrad_viz", "lessons/minigrad_lessons")

HIDDEN = {"minigrad.autograd.gradcheck"}
"""In PyTorch, too, this name is the function."""

OF_PYTORCH = {"minigrad_viz._pytorch", "minigrad_viz.ledger.of_pytorch"}
"""Loaded where PyTorch is."""


def modules() -> list[str]:
    """All folders and files of the packages, as an import names them."""
    found = []
    for package in PACKAGES:
        top = ROOT / package
        for path in sorted(top.rglob("*.py")):
            parts = path.relative_to(top.parent).with_suffix("").parts
            if all(part.isidentifier() for part in parts) and parts[-1] != "__main__":
                found.append(".".join(parts).removesuffix(".__init__"))
    return found


def imported_as(name: str) -> Any:
    scope: dict[str, Any] = {}
    exec(f"import {name} as m", scope)
    return scope["m"]


MODULES = modules()


def test_all_packages_are_found() -> None:
    assert len(MODULES) > 350
    assert {"minigrad", "minigrad_viz.picture.draw", "minigrad_lessons.build"} <= {*MODULES}


@pytest.mark.parametrize("name", sorted({*MODULES} - HIDDEN))
def test_every_module_can_be_imported(name: str) -> None:
    if name in OF_PYTORCH:
        if find_spec("torch") is None:
            return
        import torch  # noqa: F401
    module = imported_as(name)
    assert isinstance(module, ModuleType)
    assert module is sys.modules[name]


def test_gradcheck_is_the_function() -> None:
    assert {name for name in HIDDEN if callable(imported_as(name))} == HIDDEN


def run(program: str) -> list[str]:
    """Return what a new Python prints for the program, after its imports."""
    lines = f"import gc, sys\ngc.disable()\nimport minigrad as mg\n{program}"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_modules_load_with_their_first_name() -> None:
    """A first pass needs neither layers nor forward mode, and a page waits for each module."""
    loaded = run("mg.tensor([1.0], requires_grad=True).sum().backward(); print(*sys.modules)")
    assert not [name for name in loaded if re.match(r"minigrad\.(nn|optim|ops\.neural)", name)]
    assert "minigrad.autograd.forward_ad" not in loaded
    used = "mg.conv2d, mg.autograd.forward_ad.make_dual, mg.einsum; print(*sys.modules)"
    assert {"minigrad.ops.neural.convolution", "minigrad.autograd.forward_ad"} <= {*run(used)}


def test_late_names_are_listed_and_stay() -> None:
    program = (
        "print('conv2d' in dir(mg) and 'conv2d' in mg.__all__, 'conv2d' in vars(mg), end=' ')\n"
        "print(mg.conv2d is mg.conv2d is vars(mg)['conv2d'], hasattr(mg, 'conv9d'))"
    )
    assert run(program) == ["True", "False", "True", "False"]


def test_an_import_leaves_the_collector_alone() -> None:
    assert run("print(gc.isenabled())") == ["False"]
    assert run(
        "gc.enable()\ndel sys.modules['minigrad']\nimport minigrad; print(gc.isenabled())"
    ) == ["True"]
