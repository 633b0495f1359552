"""The lab in a browser tab, built once for all tests, from a folder and without a network.

These tests run where MINIGRAD_PYODIDE names a folder with Pyodide and its wheels; `make test-lite`
names one, and then nothing is skipped. They carry the mark `lite`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lite.tab import Kernel, served, tabs


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """The folder with the interpreter and the wheels."""
    named = os.environ.get("MINIGRAD_PYODIDE")
    if not named:
        pytest.skip("MINIGRAD_PYODIDE names no folder with Pyodide (make test-lite does)")
    return Path(named).resolve()


@pytest.fixture(scope="session")
def site(root: Path, pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make lite PYODIDE=folder` does, or the built one that is named."""
    if built := os.environ.get("MINIGRAD_LITE_SITE"):
        return Path(built).resolve()
    output = tmp_path_factory.mktemp("lite") / "site"
    python = root / ".venv" / "lite" / "bin" / "python"
    command = [python, "-m", "tools.lite", "--pyodide", pyodide, "-o", output]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return output


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served, by Python's own http.server."""
    with served(site) as url:
        yield url


@pytest.fixture
def open_lab(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """A function that opens the lab in a new browser, on a notebook or on its start page."""
    with tabs(browser, address) as opened:
        yield opened


@pytest.fixture(scope="module")
def kernel(browser: Any, address: str) -> Iterator[Kernel]:
    """A kernel of the lab, started once for the programs of a module's tests."""
    with tabs(browser, address) as opened:
        yield Kernel(opened("en/00_index.ipynb"))
