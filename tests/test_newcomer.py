"""The newcomer's script reads the README's commands, and starts and stops JupyterLab."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import newcomer


def test_the_commands_of_each_system(root: Path) -> None:
    assert newcomer.checkout(root, windows=False) == ["make lab", "make test"]
    make, install, open_lab = newcomer.checkout(root, windows=True)
    assert make == "py -m venv .venv"
    assert install.startswith(".venv\\Scripts\\python -m pip install")
    assert open_lab.startswith(".venv\\Scripts\\jupyter lab")
    assert [command.split()[0] for command in newcomer.wheel(root)] == [
        "pip",
        "pip",
        "minigrad-lab",
    ]
    everything = [*newcomer.checkout(root, True), *newcomer.checkout(root, False)]
    everything += newcomer.wheel(root)
    opening = [each for each in everything if newcomer.OPENS_JUPYTERLAB.search(each)]
    assert opening == [open_lab, "make lab", newcomer.wheel(root)[-1]]


def test_the_notebook_that_is_opened_exists(root: Path) -> None:
    opened = newcomer.checkout(root, windows=True)[-1].split()[-1]
    assert (root / opened.replace("\\", "/")).exists()


def test_run_waits_for_jupyterlab_and_stops_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = Path(sys.executable).parent
    if not (programs / "minigrad-lab").exists() or not (programs / "jupyter-lab").exists():
        pytest.skip("JupyterLab is not installed (pip install '.[lab]')")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path), "BROWSER": "true"}
    newcomer.run("minigrad-lab --lang en --dir course", tmp_path, environment)
    assert (tmp_path / "course/en/00_index.ipynb").exists()
    assert "JupyterLab answers at http" in capsys.readouterr().out


def test_a_failing_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="false: it ended with status 1"):
        newcomer.run("false", tmp_path, os.environ)


def test_a_server_that_fails_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("lab:\n\t@true\n")
    with pytest.raises(SystemExit, match="did not start"):
        newcomer.run("make lab", tmp_path, os.environ)


def test_prove_runs_the_first_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newcomer.prove(Path(sys.executable), tmp_path)
    program, output = newcomer.first_program(newcomer.ROOT)
    wrong = output.replace("28", "29")
    monkeypatch.setattr(newcomer, "first_program", lambda _: (program, wrong))
    with pytest.raises(SystemExit, match="and not"):
        newcomer.prove(Path(sys.executable), tmp_path)
