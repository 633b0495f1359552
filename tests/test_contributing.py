"""The steps of CONTRIBUTING.md that add an operation, carried out on a copy."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.record import PRESENT

PARTS = ("minigrad", "tests", "tools", "pyproject.toml")


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """A copy of the package, its tests and its tools, without answers: to pack them takes long."""
    for part in PARTS:
        if (root / part).is_file():
            shutil.copy(root / part, tmp_path / part)
        else:
            ignored = shutil.ignore_patterns("__pycache__", "answers", "node_modules")
            shutil.copytree(root / part, tmp_path / part, ignore=ignored)
    return tmp_path


def run(*arguments: str, at: Path) -> str:
    """Run `python -m ...`, which must succeed, and return its output."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=at, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_operation_is_added_as_written(
    root: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = (root / "CONTRIBUTING.md").read_text("utf-8").partition("## Add an operation")[2]
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", section, flags=re.S | re.M)
    operation, methods, line = blocks[:3]
    family = copy / "minigrad/ops/pointwise/arithmetic.py"
    text = family.read_text("utf-8")
    mixin = re.search(r'^class \w+Methods\(TensorBase\):\n    """.*?"""\n', text, flags=re.M)
    assert mixin is not None
    family.write_text(
        f"{text[: mixin.start()]}{operation}\n\n{mixin[0]}\n    {methods.strip()}\n"
        f"{text[mixin.end() :]}"
    )
    table = copy / "tests/ops/tables/arithmetic.py"
    table.write_text(
        table.read_text("utf-8").replace("CASES = [\n", f"CASES = [\n    {line.strip()},\n", 1)
    )

    run("tools.stubs", at=copy)
    tests = ["tests/ops/test_operations.py", "tests/autograd/test_gradcheck.py"]
    options = "-q", "-p", "no:cacheprovider", "-k", "hypot"
    if PRESENT:
        monkeypatch.setenv("MINIGRAD_RECORD", "1")
        assert "passed" in run("pytest", *options, *tests, at=copy)
        monkeypatch.delenv("MINIGRAD_RECORD")
    else:  # PyTorch's answers are not recorded
        tests = tests[1:]
    passed = run("pytest", *options, *tests, at=copy)
    assert re.search(r"\d+ passed", passed) and "failed" not in passed
    program = (
        "import inspect, minigrad as mg\n"
        "x = mg.tensor([3.0], requires_grad=True)\n"
        "print(mg.hypot(x, mg.tensor(4.0)), x.detach().hypot_(mg.tensor([4.0])))\n"
        "print(mg.hypot(mg.tensor([3.0]), mg.tensor(4.0), out=mg.empty(1)))\n"
        "print(inspect.signature(mg.hypot), 'hypot' in mg.__all__)\n"
        "try: mg.hypot(x, 'a')\n"
        "except TypeError as error: print(error)\n"
    )
    (copy / "program.py").write_text(program)
    assert run("program", at=copy).splitlines() == [
        "tensor([5.], grad_fn=<HypotBackward0>) tensor([5.])",
        "tensor([5.])",
        "(input: 'Tensor', other: 'Tensor', *, out: 'Tensor | None' = None) True",
        "hypot(): argument 'other' (position 2) must be Tensor, not str",
    ]
    stubs = [p for p in copy.rglob("*.pyi") if "def hypot(" in p.read_text("utf-8")]
    assert len(stubs) == 2  # of minigrad, and of Tensor
