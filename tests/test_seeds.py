"""Random examples are the same in every run, until a seed asks for others; a seed is repeatable.

`make fuzz` and `make nightly` give that of the day.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TEST = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=20)
@given(st.integers())
def test_drawn(number):
    print("drawn", number)
"""


def drawn(root: Path, folder: Path, *options: str, **variables: str) -> tuple[list[str], str]:
    """Return the draws and the printed text of a run."""
    (folder / "conftest.py").write_bytes((root / "tests/conftest.py").read_bytes())
    (folder / "test_drawn.py").write_text(TEST)
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *options, "."],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    return re.findall(r"drawn (-?\d+)", done.stdout), done.stdout


def test_runs_without_seed_are_equal(root: Path, tmp_path: Path) -> None:
    first, said = drawn(root, tmp_path)
    assert len(set(first)) > 5
    assert drawn(root, tmp_path)[0] == first
    assert "hypothesis-seed" not in said


def test_seed_draws_other_repeatable_examples(root: Path, tmp_path: Path) -> None:
    first, said = drawn(root, tmp_path, "--hypothesis-seed=1", MINIGRAD_REQUIRE_ALL="1")
    assert drawn(root, tmp_path, "--hypothesis-seed=1")[0] == first
    assert drawn(root, tmp_path, "--hypothesis-seed=2")[0] != first
    assert "These random examples again: python -m pytest --hypothesis-seed=1" in said


def test_nightly_seed_is_the_day(root: Path) -> None:
    for target, times in [("fuzz", 1), ("nightly", 3)]:
        for asked in ([], ["SEED=5"]):
            done = subprocess.run(
                ["make", "--dry-run", "--assume-old=.venv/test.stamp", target, *asked],
                cwd=root,
                capture_output=True,
                text=True,
                check=True,
            )
            seeds = re.findall(r"seed[= ](\d+)", done.stdout)
            assert len(seeds) == times and len(set(seeds)) == 1
            assert seeds[0] == "5" if asked else re.fullmatch(r"20\d{6}", seeds[0])
    assert f"SEED={seeds[0]}" in done.stdout
