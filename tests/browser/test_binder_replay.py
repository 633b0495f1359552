"""What Binder does with the repository, replayed without Docker: a new environment of the Python
that it names, the pinned requirements, postBuild, JupyterLab behind a base URL and a token, and the
first lesson opened by its launch link and stepped.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

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
def environment(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The variables of a shell in the built image, whose folder is REPO."""
    home = tmp_path_factory.mktemp("image")
    repository = home / "jovyan"
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, names):
        if (root / name).is_file():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, repository / name)
    subprocess.run([nearest_python(root), "-m", "venv", home / "env"], check=True, timeout=120)
    kept = {
        n: v for n, v in os.environ.items() if not n.startswith(("JUPYTER", "PYTHON", "VIRTUAL"))
    }
    variables = kept | {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(home / "env" / "bin"), os.environ["PATH"]]),
        "REPO": str(repository),
    }
    for command in (
        "python -m pip install --quiet --no-cache-dir -r binder/requirements.txt",
        "./binder/postBuild",
    ):
        done = subprocess.run(
            command, shell=True, cwd=repository, env=variables, capture_output=True, text=True
        )
        if "requirements" in command and "Could not fetch URL" in done.stderr:
            pytest.skip("pip reaches no package index")
        assert done.returncode == 0, done.stderr
    yield variables


@pytest.fixture(scope="module")
def launched(environment: dict[str, str]) -> Iterator[str]:
    """JupyterLab as Binder starts it; the address of its root."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = ["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    log = Path(environment["HOME"]) / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [
                *("jupyter", "lab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"),
                *(f"--ServerApp.base_url={BASE}", f"--IdentityProvider.token={TOKEN}", *root),
            ],
            cwd=environment["REPO"],
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}{BASE}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}api/status?token={TOKEN}", timeout=5).close()
                break
            except (urllib.error.URLError, OSError):
                assert server.poll() is None, log.read_text(errors="replace")
                time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_the_first_lesson_opens_by_its_link_and_steps(launched: str, browser: Any) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{launched}{OPENED}?token={TOKEN}")
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    assert page.locator(".jp-Dialog").count() == 0  # nothing covers the lesson
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    page.get_by_role("menuitem", name="Clear Outputs of All Cells").click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    stepper = page.locator(".minigrad-stepper").first
    position = stepper.locator(".position")
    position.wait_for()
    count = position.text_content().split(" / ")[1]
    stepper.get_by_role("button", name="Next step").click()
    assert position.text_content() == f"2 / {count}"
    page.context.close()


def test_without_the_token_nobody_gets_in(launched: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{launched}api/contents", timeout=10)
    assert refused.value.code == 403
