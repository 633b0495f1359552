"""`minigrad-lab` copies the lessons for a reader with a wheel, and keeps changed notebooks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jupyter_core.paths
import pytest
from jupyterlab_server import config
from minigrad_lessons import cli
from minigrad_lessons.lab.language import LANGUAGES, Language


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would have been run, in place of running them."""
    commands: list[list[str]] = []

    def become(command: list[str], environment: dict[str, str]) -> int:
        commands.append(command)
        return 0

    monkeypatch.setattr(cli, "become", become)
    return commands


def test_jupyterlab_takes_the_place_of_the_command() -> None:
    """Stopping the command, as Docker does, stops JupyterLab."""
    other = "import os; print(os.getpid(), os.environ['WHERE'])"
    program = (
        "import os, sys; from minigrad_lessons.cli import become; print(os.getpid())\n"
        f"sys.exit(become([sys.executable, '-c', {other!r}], {{**os.environ, 'WHERE': 'here'}}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    before, after = done.stdout.splitlines()
    assert done.returncode == 0 and after.endswith(" here")
    assert os.name == "nt" or after == f"{before} here"


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


def test_edited_notebook_is_kept(
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


def test_unwritable_folder_is_named(
    tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert cli.main(["--lang", "zh", "--dir", str(tmp_path / "file")]) == 1
    assert str(tmp_path / "file") in capsys.readouterr().err
    assert not started


FULL = """
import resource, sys
from minigrad_lessons import cli
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # as on a disk with so much left
sys.exit(cli.main(["--lang", "en", "--dir", sys.argv[1], "--no-browser"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_full_disk_leaves_no_partial_notebook(tmp_path: Path) -> None:
    """And once there is room again, the rest comes."""
    done = subprocess.run([sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert str(tmp_path / "en") in done.stderr and "Traceback" not in done.stderr
    sources = {path.name: path.read_bytes() for path in cli.notebooks("en")}
    there = {path.name: path.read_bytes() for path in (tmp_path / "en").iterdir()}
    assert there.items() < sources.items()
    written, kept = cli.copy_lessons("en", tmp_path / "en")
    assert written and not kept
    assert {path.name: path.read_bytes() for path in (tmp_path / "en").iterdir()} == sources


def test_an_interrupted_copy_leaves_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(source: str, target: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", interrupted)
        cli.copy_lessons("zh", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_link_that_leads_nowhere_is_kept(
    tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "en").mkdir()
    link = tmp_path / "en" / "02_backward.ipynb"
    link.symlink_to(tmp_path / "nowhere")
    assert cli.main(["--lang", "en", "--dir", str(tmp_path)]) == 0
    assert "worked on them: 02_backward.ipynb" in capsys.readouterr().out
    assert link.is_symlink() and not (tmp_path / "nowhere").exists()


def test_jupyterlab_without_home_uses_lessons_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cli.surroundings(tmp_path / "course")["HOME"] == str(tmp_path)
    assert not capsys.readouterr().out
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    assert cli.surroundings(tmp_path / "course")["HOME"] == str(tmp_path / "course")
    assert str(tmp_path / "nowhere") in capsys.readouterr().out


def test_no_popup_covers_the_first_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    news = "@jupyterlab/apputils-extension:announcements"
    monkeypatch.setattr(jupyter_core.paths, "ENV_CONFIG_PATH", [])  # where `make lab` says it
    assert news not in config.get_page_config([]).get("disabledExtensions", [])
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", cli.surroundings(tmp_path)["JUPYTER_CONFIG_PATH"])
    assert news in config.get_page_config([])["disabledExtensions"]


@pytest.mark.parametrize(
    ("surroundings", "expected"), [("zh_CN.UTF-8", "zh"), ("en_GB", "en"), ("de_DE", "en")]
)
def test_the_language_is_that_of_the_surroundings(
    surroundings: str, expected: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", surroundings)
    assert cli.default_language() == expected


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert all(option in said for option in ("--lang", "--dir", "--no-browser"))
