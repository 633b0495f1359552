"""Binder's steps, replayed without Docker: a new environment of the Python
that it names, the pinned requirements, postBuild, JupyterLab behind a base URL and a token, and the
first lesson opened by its launch link and stepped.

The environment is new at night; in other runs it is that of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.jupyterlab import (
    at_home,
    run_all_and_step,
    serving,
    wait_for_kernel,
    without_news,
)
from tests.sampling import all_of
from tools.architecture import tracked

BASE = "/user/replay-abc/"  # Binder gives every visitor one of their own
TOKEN = "secret-of-this-test"
OPENED = "lab/tree/lessons/en/01_graph.ipynb"


def nearest_python(root: Path) -> str:
    """The Python that runtime.txt names, or the one that runs the tests."""
    named = (root / "binder" / "runtime.txt").read_text().strip().replace("-", "")
    found = shutil.which(named)
    works = found and subprocess.run([found, "-c", "import venv"], capture_output=True)
    return str(found) if works and works.returncode == 0 else sys.executable


@pytest.fixture(scope="module")
def environment(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a shell in the built image, whose folder is REPO."""
    home = tmp_path_factory.mktemp("image")
    repository = home / "jovyan"
    copy_checkout(root, repository)
    variables = (built if all_of("PAGES") else of_the_tests)(root, home, repository)
    return variables | {"REPO": str(repository)}


def copy_checkout(root: Path, repository: Path) -> None:
    """Copy the files that git knows."""
    for path in tracked(root):
        target = repository / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


def of_the_tests(root: Path, home: Path, repository: Path) -> dict[str, str]:
    """Return the variables of a shell in which the packages are those of the tests."""
    without_news(home)  # as postBuild does
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return at_home(repository, home) | {"PATH": path}


def built(root: Path, home: Path, repository: Path) -> dict[str, str]:
    """Install the pinned packages as Binder does, and return the variables of a shell there."""
    python = [nearest_python(root), "-m", "venv", home / "env"]
    subprocess.run(python, check=True, timeout=120)
    kept = {
        n: v for n, v in os.environ.items() if not n.startswith(("JUPYTER", "PYTHON", "VIRTUAL"))
    }
    variables = kept | {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(home / "env" / "bin"), os.environ["PATH"]]),
        "VIRTUAL_ENV": str(home / "env"),
    }
    # Binder has pip for this, which installs the same in a minute.
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-cache"]
    install += ["--python", str(home / "env" / "bin" / "python")]
    for command in ([*install, "-r", "binder/requirements.txt"], ["./binder/postBuild"]):
        done = subprocess.run(
            command, cwd=repository, env=variables, capture_output=True, text=True
        )
        if "Failed to fetch" in done.stderr:
            pytest.skip("uv reaches no package index")
        assert done.returncode == 0, done.stderr
    return variables


@pytest.fixture(scope="module")
def launched(environment: dict[str, str]) -> Iterator[str]:
    """JupyterLab as Binder starts it; the address of its root."""
    command = [
        *("jupyter", "lab"),
        *(f"--ServerApp.base_url={BASE}", f"--IdentityProvider.token={TOKEN}"),
        "--LabApp.expose_app_in_browser=True",
    ]
    with serving(command, Path(environment["REPO"]), environment) as address:
        yield address


def test_the_first_lesson_opens_by_its_link_and_steps(launched: str, browser: Any) -> None:
    assert launched.endswith(BASE)
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{launched}{OPENED}?token={TOKEN}")
    wait_for_kernel(page)
    assert page.locator(".jp-Dialog").count() == 0  # nothing covers the lesson
    run_all_and_step(page)
    page.context.close()


def test_without_the_token_nobody_gets_in(launched: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{launched}api/contents", timeout=120)
    assert refused.value.code == 403
