"""Binder builds what binder/ says, and a mistake there is seen only by the reader who waits for it.

repo2docker renders its Dockerfile without Docker, so that what it made of the folder can be read.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

APT_PACKAGE = "fonts-noto-cjk"


@pytest.fixture(scope="module")
def dockerfile(root: Path) -> str:
    command = Path(sys.executable).with_name("jupyter-repo2docker")
    if not command.exists():
        pytest.skip("jupyter-repo2docker is not installed (pip install '.[test]')")
    run = subprocess.run(
        [command, "--no-build", "--debug", "."],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout + run.stderr


def test_it_takes_the_python_that_runtime_txt_names(dockerfile: str) -> None:
    assert "python=3.12" in dockerfile
    assert re.search(r"^COPY .*environment-2epy-2d3-2e12-.*lock", dockerfile, re.M)


def test_it_installs_the_project_with_the_extra_lab(root: Path, dockerfile: str) -> None:
    assert re.search(r'^RUN .*pip install .*-r "binder/requirements.txt"$', dockerfile, re.M)
    requirements = (root / "binder/requirements.txt").read_text(encoding="utf-8")
    assert requirements.split() == ["-c", "constraints.txt", "-e", ".[lab]"]
    # The path in a requirements file is relative to the working directory: sources come first.
    assert dockerfile.index("COPY --chown=0:0 src/ ${REPO_DIR}/") < dockerfile.index('-r "binder/')


def test_every_version_is_pinned_and_allowed(root: Path) -> None:
    pins: dict[str, list[str]] = {}
    for line in (root / "binder/constraints.txt").read_text(encoding="utf-8").splitlines():
        name, version = line.split(";")[0].strip().split("==")
        pins.setdefault(name, []).append(version)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [Requirement(r) for r in [*project["dependencies"], *extras["lab"], *extras["viz"]]]
    for requirement in wanted:
        if requirement.name != project["name"]:
            assert all(version in requirement.specifier for version in pins[requirement.name])


def test_it_installs_the_fonts_that_chinese_lessons_need(root: Path, dockerfile: str) -> None:
    assert (root / "binder/apt.txt").read_text(encoding="utf-8").split() == [APT_PACKAGE]
    assert re.search(rf"apt-get install .*\b{APT_PACKAGE}\b", dockerfile)


def test_it_runs_post_build(root: Path, dockerfile: str) -> None:
    script = root / "binder/postBuild"
    assert re.search(r"RUN \./binder/postBuild$", dockerfile, re.M)
    assert script.stat().st_mode & 0o111, "repo2docker starts postBuild as a program"
    commands = [shlex.split(line, comments=True) for line in script.read_text().splitlines()]
    assert ["jupyter", "labextension", "disable"] in [words[:3] for words in commands]
