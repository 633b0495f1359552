"""The switch that steps the programs of our own tests does so, and a sample of them passes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests import stepped
from tests.sampling import in_this_run

FOLDERS = ("tests/core", "tests/ops", "tests/autograd", "tests/nn")
SAMPLE = 60


def test_stepped_pass_leaves_same_state(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []

    def step(*args: Any, **options: Any) -> Any:
        texts.append(str(made := real(*args, **options)))
        return made

    real = viz.step
    monkeypatch.setattr(viz, "step", step)
    x = mg.ones(2, requires_grad=True)
    stepped.method((x * x).sum())
    stepped.backward([x * 3], [mg.ones(2)])
    assert x.grad is not None and x.grad.tolist() == [5, 5]
    assert len(texts) == 2 and "MulBackward0" in texts[0]


def test_the_exception_is_that_of_the_pass() -> None:
    loss = (mg.ones(2, requires_grad=True).exp() * 2).sum()
    stepped.method(loss)
    with pytest.raises(RuntimeError, match="second time"):
        stepped.method(loss)
    with pytest.raises(RuntimeError, match="does not require grad"):
        stepped.method(mg.ones(()))


def test_the_excused_tests_exist(root: Path) -> None:
    for name in stepped.EXCUSED:
        file, _, test = name.partition("::")
        assert test in (root / file).read_text("utf-8")


def test_sample_of_own_programs_is_stepped(root: Path) -> None:
    """`make nightly` steps all of them. To look through every file takes longer than the sample."""
    files = [str(file) for folder in FOLDERS for file in sorted((root / folder).glob("test_*.py"))]
    files = [file for file in files if in_this_run("STEPPED", Path(file).name)]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    environment = os.environ | {"MINIGRAD_STEPPED": str(SAMPLE), "PYTEST_ADDOPTS": ""}
    run = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=400
    )
    assert run.returncode == 0, run.stdout
    assert f"{SAMPLE} passed" in run.stdout
