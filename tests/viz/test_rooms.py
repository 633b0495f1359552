"""The visualizer's house: six rooms, and between them and between files imports that run downwards.

What stands under TYPE_CHECKING and what is imported inside a function count as well. Of minigrad,
only what it documents is read.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.imports import Package

PACKAGE = Path(__file__).parents[2] / "viz" / "minigrad_viz"

MAY_USE = {
    "texts": set(),
    "model": {"texts"},
    "picture": {"texts", "model"},
    "plots": {"texts", "model", "picture"},
    "explain": {"texts", "model", "picture", "plots"},
    "stepper": {"texts", "model", "picture", "explain"},
}

PUBLIC = {
    "minigrad",
    "minigrad.autograd",
    "minigrad.autograd.events",
    "minigrad.autograd.formulas",
    "minigrad.autograd.graph",
}

READ_AS_OF_PYTORCH = {
    # What PyTorch's own objects show under such names, and minigrad's too.
    *("_version", "_sequence_nr", "_input_metadata", "_backward_hooks"),
    *("_post_accumulate_grad_hooks", "_base", "_is_view", "_get_sequence_nr"),
    *("_current_graph_task_id", "_forward_cls", "_raw_saved_tensors"),
    # What PyTorch alone has, and no public name tells.
    *("_get_current_function_mode", "_disable_current_modes", "_python_dispatch"),
    *("_autograd", "_top_saved_tensors_default_hooks", "_push_saved_tensors_default_hooks"),
    *("_pop_saved_tensors_default_hooks", "_engine_run_backward", "_current_autograd_node"),
    "_cdata",
}


VIZ = Package(PACKAGE)
MODULES = VIZ.modules


def test_there_are_six_rooms_and_nothing_else() -> None:
    top = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert top == {"__init__.py", "py.typed", *MAY_USE}
    folders = {path.parent for path in MODULES.values()} - {PACKAGE}
    assert folders == {PACKAGE / room for room in MAY_USE}


def test_rooms_use_those_below() -> None:
    used = {
        (importer.split(".")[1], target.split(".")[1])
        for importer, targets in VIZ.imports.items()
        for target in targets
        if importer.count(".") == target.count(".") == 2
    }
    assert len(used) > 10
    wrong = [(room, other) for room, other in used if other not in MAY_USE[room] | {room}]
    assert not wrong


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
def test_of_minigrad_only_what_is_documented(name: str) -> None:
    found = VIZ.imported(MODULES[name], documented=PUBLIC)
    ours = {each for each in found if each.partition(".")[0] == "minigrad"}
    assert ours <= PUBLIC
    text = MODULES[name].read_text(encoding="utf-8")
    loaded = set(re.findall(r"import_module\(\"(minigrad[\w.]*)", text))
    assert loaded <= {"minigrad.nn", "minigrad.nn.module"}


@pytest.mark.parametrize("name", MODULES)
def test_private_attributes_are_ones_own(name: str) -> None:
    """But for the few that PyTorch shows, under names that begin so."""
    text = MODULES[name].read_text(encoding="utf-8")
    read = set(re.findall(r"(?:get|has)attr\([\w.]+, \"(_[a-z]\w*)", text))
    read |= {
        node.attr
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and re.match(r"_[a-z]", node.attr)
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    }
    assert read <= READ_AS_OF_PYTORCH | {"_getframe", "_replace"}


@pytest.mark.parametrize("name", MODULES)
def test_every_file_says_why_it_exists(name: str) -> None:
    """And sends the reader to files that there are."""
    path = MODULES[name]
    about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert about
    places = (path.parent, PACKAGE, PACKAGE / "model", PACKAGE.parents[1])
    named = re.findall(r"[\w/]+\.(?:py|ts)\b", about)
    assert [each for each in named if not any((at / each).exists() for at in places)] == []
