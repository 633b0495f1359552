"""The visualizer's rooms: imports between rooms and between files run downwards.

What stands under TYPE_CHECKING and what is imported inside a function count as well. Of minigrad,
only what it documents is read.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import Package

PACKAGE = Path(__file__).parents[2] / "viz" / "minigrad_viz"

ROOMS = (
    *("texts", "model", "passes", "picture", "ledger", "codegen"),
    *("plots", "diagnosis", "stepper"),
)
"""From the ground up: each may use those before it."""

PUBLIC = {
    "minigrad",
    "minigrad.autograd",
    "minigrad.autograd.events",
    "minigrad.autograd.replay",
    "minigrad.autograd.graph",
    "minigrad.utils.files",
}

READERS_OF_PRIVATE_NAMES = {
    "minigrad_viz._pytorch",  # those of PyTorch alone
    "minigrad_viz.model.either_library",  # those that minigrad's objects have, too
}

ORDINARY = {"_getframe", "_replace", "_fields"}
"""Private by name alone: of sys, of named tuples, and of syntax trees."""


VIZ = Package(PACKAGE)
MODULES = VIZ.modules


def test_only_rooms_at_the_top() -> None:
    top = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert top == {"__init__.py", "_pytorch.py", "py.typed", *ROOMS}
    folders = {path.parent for path in MODULES.values()} - {PACKAGE}
    inside = {PACKAGE / "diagnosis" / name for name in ("rules", "errors", "replay")}
    assert folders == {PACKAGE / room for room in ROOMS} | inside


def test_rooms_use_those_below() -> None:
    used = {
        (importer.split(".")[1], target.split(".")[1])
        for importer, targets in VIZ.imports.items()
        for target in targets
        if importer.count(".") == target.count(".") == 2
    }
    assert len(used) > 10
    wrong = [(room, other) for room, other in used if ROOMS.index(other) > ROOMS.index(room)]
    assert not wrong
    assert VIZ.imports["minigrad_viz._pytorch"] == set()


def test_no_file_imports_an_index() -> None:
    """Neither the package's own nor a room's: an index is for those outside."""
    wrong = [
        f"{importer} imports {index}"
        for importer, targets in VIZ.imports.items()
        if importer != "minigrad_viz"
        for index in targets & VIZ.indices()
    ]
    assert not wrong


def test_there_is_no_circle() -> None:
    assert VIZ.circle() == []


@pytest.mark.parametrize("name", MODULES)
def test_only_documented_minigrad_names_are_used(name: str) -> None:
    found = VIZ.imported(MODULES[name], documented=PUBLIC)
    ours = {each for each in found if each.partition(".")[0] == "minigrad"}
    assert ours <= PUBLIC
    text = MODULES[name].read_text(encoding="utf-8")
    loaded = set(re.findall(r"import_module\(\"(minigrad[\w.]*)", text))
    # A replay restores the generators of the CPU and of all GPUs, as a checkpoint does.
    assert loaded <= {"minigrad.nn", "minigrad.nn.module", "minigrad.arrays.draws"}


def private_names(name: str) -> set[str]:
    """The private attributes that a module reads of other objects than its own."""
    text = MODULES[name].read_text(encoding="utf-8")
    read = set(re.findall(r"(?:get|has|set)attr\([\w.]+, \"(_[A-Za-z]\w*)", text))
    return read | {
        node.attr
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and re.match(r"_[A-Za-z]", node.attr)
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    }


@pytest.mark.parametrize("name", sorted(MODULES.keys() - READERS_OF_PRIVATE_NAMES))
def test_private_names_are_read_in_two_files(name: str) -> None:
    assert private_names(name) <= ORDINARY
    text = MODULES[name].read_text(encoding="utf-8")
    assert not re.search(r"torch\._|_engine_run_backward", text)


def test_pytorch_alone_names_its_private_modules() -> None:
    assert "_C" in private_names("minigrad_viz._pytorch")
    assert "_C" not in private_names("minigrad_viz.model.either_library")


def loaded_by(program: str) -> set[str]:
    """Return the modules that a new Python has loaded after the program."""
    program = f"import sys, minigrad_viz as viz; {program}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_rooms_load_when_they_are_used() -> None:
    """A page waits for this import. Private names of PyTorch load after PyTorch."""
    first = loaded_by("viz.draw")
    rooms = {name.split(".")[1] for name in first if name.startswith("minigrad_viz.")}
    assert rooms == {"model", "passes", "picture", "stepper", "ledger", "texts"}
    assert "minigrad_viz.diagnosis.explain" in loaded_by("viz.explain")


def test_names_are_listed_before_they_load() -> None:
    loaded_by("assert {*viz.__all__} < {*dir(viz)}")


@pytest.mark.parametrize("name", MODULES)
def test_every_file_says_why_it_exists(name: str) -> None:
    """And sends the reader to files that there are."""
    path = MODULES[name]
    about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert about
    places = (path.parent, PACKAGE, PACKAGE / "model", PACKAGE.parents[1])
    named = re.findall(r"[\w/]+\.(?:py|ts)\b", about)
    assert [each for each in named if not any((at / each).exists() for at in places)] == []
