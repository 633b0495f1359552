"""`minigrad-lab` brings the lessons to a reader who has only the wheel, and loses nobody's work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from minigrad_lessons import cli
from minigrad_lessons.language import LANGUAGES, Language


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would have been run, in place of running them."""
    commands: list[list[str]] = []

    class Done:
        returncode = 0

    def run(command: list[str]) -> type[Done]:
        commands.append(command)
        return Done

    monkeypatch.setattr(cli.subprocess, "run", run)
    return commands


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lessons_are_copied_and_opened(
    language: Language, tmp_path: Path, started: list[list[str]]
) -> None:
    assert cli.main(["--lang", language, "--dir", str(tmp_path / "course")]) == 0
    folder = tmp_path / "course" / language
    assert [path.name for path in sorted(folder.iterdir())] == [
        path.name for path in cli.notebooks(language)
    ]
    ((python, *command),) = started
    assert python == sys.executable and command[:2] == ["-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={tmp_path / 'course'}" in command
    assert f"--LabApp.default_url=/lab/tree/{language}/00_index.ipynb" in command
    assert "--no-browser" not in command


def test_a_notebook_that_was_worked_on_is_kept(
    tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--lang", "en", "--dir", str(tmp_path), "--no-browser", "--", "--port=1234"]
    cli.main(arguments)
    mine = tmp_path / "en" / "02_backward.ipynb"
    mine.write_text("my work", encoding="utf-8")
    (tmp_path / "en" / "01_graph.ipynb").unlink()
    capsys.readouterr()
    cli.main(arguments)
    said = capsys.readouterr().out
    assert mine.read_text(encoding="utf-8") == "my work"
    assert (tmp_path / "en" / "01_graph.ipynb").exists()
    assert "1 notebook(s) written" in said and "02_backward.ipynb" in said
    assert started[1][-2:] == ["--no-browser", "--port=1234"]


def test_without_jupyterlab_it_says_what_to_install(
    tmp_path: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    assert cli.main(["--dir", str(tmp_path)]) == 1
    assert "pip install 'minigrad-lab[lab]'" in capsys.readouterr().err
    assert not started


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert cli.main(["--lang", "zh", "--dir", str(tmp_path / "file")]) == 1
    assert str(tmp_path / "file") in capsys.readouterr().err
    assert not started


@pytest.mark.parametrize(
    ("surroundings", "expected"), [("zh_CN.UTF-8", "zh"), ("en_GB", "en"), ("de_DE", "en")]
)
def test_the_language_is_that_of_the_surroundings(
    surroundings: str, expected: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", surroundings)
    assert cli.spoken_here() == expected


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert all(option in said for option in ("--lang", "--dir", "--no-browser"))
