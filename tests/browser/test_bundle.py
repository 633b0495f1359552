"""The committed bundle is what the sources say, and the front end's own checks pass.

Only these tests need Node.js: users of the stepper have the built file.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

STATIC = {
    "stepper/static/stepper.js": 144_000,
    "stepper/static/formulas.js": 22_000,
    "plots/static/sliders.js": 5_000,
}
"""Limits in bytes: every saved notebook and page that needs a bundle contains it. Compressed, it
takes a third. Captions without numbers, dividers, and frames cut for a small pane took 7 kB.
"""

Run = Callable[..., str]


@pytest.fixture
def run(frontend: Path) -> Run:
    """A function that runs a command in the front end's folder and gives what it prints."""
    environment = {**os.environ, "CI": "1", "NO_COLOR": "1"}

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=frontend, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_committed_bundle_is_built_from_the_sources(run: Run, root: Path, tmp_path: Path) -> None:
    run("node", "build.mjs", str(tmp_path))
    for name in STATIC:
        built, committed = tmp_path / name, root / "viz" / "minigrad_viz" / name
        assert built.read_bytes() == committed.read_bytes(), "run `npm run build` in viz/frontend"


def test_types_hold(run: Run) -> None:
    run("npm", "run", "check")


def test_unit_tests_pass(run: Run) -> None:
    assert "passed" in run("npm", "test")


@pytest.mark.parametrize("name", STATIC)
def test_bundle_is_small_and_fetches_nothing(root: Path, name: str) -> None:
    text = (root / "viz" / "minigrad_viz" / name).read_text(encoding="utf-8")
    assert len(text.encode()) < STATIC[name]
    addresses = {word for word in text.replace('"', " ").split() if word.startswith("http")}
    assert all(address.startswith("http://www.w3.org/") for address in addresses)
    assert "innerHTML" not in text
    assert "fetch(" not in text


def test_lock_file_names_no_registry(root: Path) -> None:
    assert "resolved" not in (root / "viz" / "frontend" / "package-lock.json").read_text()
