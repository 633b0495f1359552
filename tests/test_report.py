"""`python -m minigrad` describes the installation, and survives what is broken in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import minigrad
from minigrad import __main__ as report


def requirements(root: Path, extra: str) -> list[str]:
    """The names of an extra in pyproject.toml, without the extras that it includes."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    listed = project["optional-dependencies"][extra]
    names = [re.split("[;<>=]", each)[0].strip() for each in listed]
    return [name for name in names if not name.startswith("minigrad-lab[")]


@pytest.mark.parametrize("extra", report.EXTRAS)
def test_extras_are_those_of_the_project(root: Path, extra: str) -> None:
    assert list(report.EXTRAS[extra]) == requirements(root, extra)


def test_report_names_versions_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main() == 0
    lines = dict(line.split(":", 1) for line in capsys.readouterr().out.splitlines())
    expected = f"{minigrad.__version__}: minigrad, minigrad_viz, minigrad_lessons"
    assert lines["minigrad-lab"].strip() == expected
    assert lines["build"].strip().startswith(("checkout in ", "installed in "))
    assert lines["core"].strip() == minigrad.__config__.build()
    assert lines["Python"].strip().startswith(sys.version.split()[0])
    assert lines["NumPy"].strip()[0].isdigit()
    assert lines["GPU"].strip() and lines["Graphviz"].strip()


PROGRAM = """
from runpy import run_module

import minigrad as mg
import minigrad_viz as viz

x = mg.arange(4.0, requires_grad=True)
y = 2 * mg.dot(x, x)
print(viz.draw(y))
viz.draw(x.exp().sum()).save("drawing.svg")
viz.step(y).save("stepper.html")
print(viz.explain(x), viz.program(x.exp().sum()))
mg.save({"x": x}, "x.pt")
mg.load("x.pt")
run_module("minigrad", run_name="__main__")
"""


@pytest.mark.skipif(
    sys.version_info < (3, 13) and not str(Path(__file__)).isascii(),
    reason="before 3.13 this Python itself cannot read its installation in that locale",
)
@pytest.mark.parametrize("utf8", ["0", "1"])
def test_nothing_depends_on_the_locale(utf8: str, tmp_path: Path) -> None:
    """Python warns of a file or a pipe without an encoding, and a warning is an error here."""
    strict = ["-W", "error", "-X", "warn_default_encoding", "-X", f"utf8={utf8}"]
    done = subprocess.run(
        [sys.executable, *strict, "-c", PROGRAM],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "DotBackward0" in done.stdout and "NumPy" in done.stdout


def test_missing_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "version_of", lambda name: None if name == "jupyterlab" else "1")
    assert list(report.missing()) == ["lab: jupyterlab (pip install 'minigrad-lab[lab]')"]


DOT = "viz: the program dot (install Graphviz from graphviz.org)"
INSTALL = "viz: pygraphviz (pip install 'minigrad-lab[viz]')"


@pytest.mark.parametrize(
    ("dot", "windows_arm", "expected"),
    [(None, False, [INSTALL]), ("/usr/bin/dot", False, []), (None, True, [DOT])],
)
def test_dot_replaces_pygraphviz(
    dot: str | None, windows_arm: bool, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "ON_WINDOWS_ARM", windows_arm)
    monkeypatch.setattr(report, "version_of", lambda name: None if name == "pygraphviz" else "1")
    monkeypatch.setattr("shutil.which", lambda name: dot)
    assert list(report.missing()) == expected


def test_broken_packages_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("no such library")

    monkeypatch.setattr(report, "version_of", lambda name: "1")
    monkeypatch.setattr(report, "import_module", broken)
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert report.graphviz() == "pygraphviz 1 fails: OSError: no such library"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setattr(report, "device_count", broken)
    assert report.gpus() == "CuPy fails: OSError: no such library"


def test_report_fits_an_ascii_terminal(root: Path, tmp_path: Path) -> None:
    """Without git, without a home, and in a folder whose name ASCII cannot write."""
    folder = tmp_path / "a 课程"
    folder.mkdir()
    (folder / "minigrad").symlink_to(root / "minigrad", target_is_directory=True)
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(folder), "PATH": ""}
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    command = [sys.executable, "-m", "minigrad"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "build:" in done.stdout and "commit unknown" in done.stdout
