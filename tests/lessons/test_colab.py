"""The lessons for Colab have one more cell, which installs the wheel of the same branch."""

from __future__ import annotations

import re
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from minigrad_lessons.site import colab, links
from packaging.requirements import Requirement

OF_COLAB = {"jupyterlab", "ipykernel", "tqdm", "safetensors"}
"""Packages of the extra `lab` that the first cell does not install: Colab has them."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder, and the wheel in it."""
    folder = tmp_path_factory.mktemp("colab") / "out"
    return folder, colab.write(folder, "owner/minigrad")


def test_lesson_gets_one_more_cell(written: tuple[Path, Path]) -> None:
    folder, _ = written
    lessons = sorted(colab.LESSONS.glob("??/*.ipynb"))
    assert len(list(folder.glob("??/*.ipynb"))) == len(lessons) > 30
    for lesson in lessons:
        copy = folder / lesson.parent.name / lesson.name
        nbformat.validate(nbformat.read(copy, 4))
        before, after = nbformat.read(lesson, 4), nbformat.read(copy, 4)
        first = after.cells.pop(0)
        assert first.cell_type == "code" and not first.outputs
        assert after == before


def test_cell_installs_wheel_of_same_branch(written: tuple[Path, Path]) -> None:
    folder, wheel = written
    first = nbformat.read(folder / "zh" / "01_graph.ipynb", 4).cells[0].source
    (extras, address) = re.findall(r'"minigrad-lab\[([\w,]+)\] @ (\S+)"', first)[0]
    assert address == f"https://raw.githubusercontent.com/owner/minigrad/colab/{wheel.name}"
    assert links.BRANCH == "colab" and (folder / wheel.name).exists()
    project = tomllib.loads((colab.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional: dict[str, list[str]] = project["optional-dependencies"]
    lab = {Requirement(line).name for line in optional["lab"]} - {project["name"]}
    assert lab == OF_COLAB
    inherited = next(r for r in map(Requirement, optional["lab"]) if r.name == project["name"])
    assert {*inherited.extras, "dist"} == set(extras.split(","))


@pytest.mark.usefixtures("clean_linecache")
def test_the_cell_runs(written: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """As IPython reads it, on stand-ins for pip and for Colab."""
    called: list[Any] = []
    output = types.ModuleType("google.colab.output")
    output.enable_custom_widget_manager = lambda: called.append("widgets")  # type: ignore[attr-defined]
    package = types.ModuleType("google.colab")
    package.output = output  # type: ignore[attr-defined]
    for name, module in [("google", types.ModuleType("google")), ("google.colab", package)]:
        monkeypatch.setitem(sys.modules, name, module)
    shell = InteractiveShell()
    shell.register_magic_function(called.append, magic_name="pip")
    result = shell.run_cell(colab.cell("https://example.org/minigrad_lab-0.1.0-py3-none-any.whl"))
    result.raise_error()
    install, widgets = called
    words = install.split()
    assert words[:2] == ["install", "--quiet"] and widgets == "widgets"
    named = Requirement(install.partition('"')[2].rstrip('"'))
    assert named.name == "minigrad-lab" and named.url is not None and named.url.endswith(".whl")


def test_without_an_owner_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(colab, "repository", lambda: None)
    assert colab.main(["-o", str(tmp_path / "out")]) == 1
    assert "make publish OWNER=name" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
