"""The core is all there is to understand: arrays/ and core/, copied to an empty folder, with five
operations written here, do what the rest of the package makes comfortable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import minigrad

FIVE_OPERATIONS = """
import numpy as np

from small.core.backward import backward, grad
from small.core.events import recording
from small.core.inplace import inplace
from small.core.node import TensorBase, new_tensor
from small.core.operation import Operation, apply
from small.core.promotion import binary
from small.core.views import ViewOperation, apply_view


class AddBackward0(Operation):
    args = (1,)

    def forward(self, other, /):
        return self + other

    def backward(ctx, g):
        return g, g


class MulBackward0(Operation):
    saves = {"other": 0, "self": 1}

    def forward(self, other, /):
        return self * other

    def backward(ctx, g):
        other, self = ctx.saved
        return None if other is None else g * other, None if self is None else g * self


class ExpBackward0(Operation):
    def forward(self, /):
        return np.exp(self)

    def gradient(g, result):
        return g * result


class SumBackward0(Operation):
    def forward(self, /):
        return self.sum()

    def backward(ctx, g):
        ones = np.ones(ctx.shape())
        return g * (new_tensor(ones) if isinstance(g, TensorBase) else ones)


class SelectBackward0(ViewOperation):
    def forward(self, /, index):
        return self[index : index + 1]

    def backward(ctx, g):
        whole = np.zeros(ctx.shape())
        whole[ctx.args[0] : ctx.args[0] + 1] = g
        return whole


class Tensor(TensorBase):
    def __add__(self, other):
        return binary(AddBackward0, self, other)

    def __mul__(self, other):
        return binary(MulBackward0, self, other)

    def mul_(self, other):
        return inplace(MulBackward0, self, other)

    def exp(self):
        return apply(ExpBackward0, self)

    def sum(self):
        return apply(SumBackward0, self)

    def __getitem__(self, index):
        return apply_view(SelectBackward0, self, index)


TensorBase.result_type = Tensor


def leaf(*values):
    tensor = new_tensor(np.array(values))
    tensor._requires_grad = True
    return tensor


def names(node):
    return [node.name(), *(name for n, _ in node.next_functions if n for name in names(n))]
"""

PROGRAMS = {
    "the graph has PyTorch's names": """
        x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
        y = (x * w + x).sum()
        assert names(y._edge) == [
            "SumBackward0", "AddBackward0", "MulBackward0", "torch::autograd::AccumulateGrad",
            "torch::autograd::AccumulateGrad", "torch::autograd::AccumulateGrad",
        ]
    """,
    "back": """
        x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
        backward((x * w + x).sum())
        assert x._grad._array.tolist() == [4.0, 5.0] and w._grad._array.tolist() == [1.0, 2.0]
    """,
    "back, and back again through that": """
        x = leaf(2.0)
        (slope,) = grad((x * x * x).sum(), x, create_graph=True)
        assert slope._array.tolist() == [12.0]
        (curvature,) = grad(slope.sum(), x)
        assert curvature._array.tolist() == [12.0]
    """,
    "a write to a view": """
        x = leaf(1.0, 2.0)
        y = x * 3
        part = y[0]
        part.mul_(10)
        assert y._array.tolist() == [30.0, 6.0] and y.version() == part.version() == 1
        assert names(y._edge)[0] == "torch::autograd::CopySlices"
        backward((part + y).sum())
        assert x._grad._array.tolist() == [90.0, 3.0]
    """,
    "what was saved and then changed": """
        x = leaf(1.0, 2.0)
        y = x.exp()
        z = y.sum()
        y.mul_(2)
        try:
            backward(z + y.sum())
        except RuntimeError as error:
            assert "has been modified by an inplace operation" in str(error)
            assert "is at version 1; expected version 0" in str(error)
            assert x._grad is None
        else:
            raise AssertionError("a changed tensor was used")
    """,
    "events": """
        x = leaf(3.0)
        with recording() as trace:
            backward((x * x).sum())
        assert [type(event).__name__ for event in trace] == [
            "Seed", "Start", "Formula", "Accumulate", "Start", "Formula", "Free",
            "Accumulate", "Accumulate", "Start", "LeafGradient",
        ]
    """,
}


def test_the_core_works_alone(tmp_path: Path) -> None:
    package = Path(minigrad.__file__).parent
    for storey in ("arrays", "core"):
        shutil.copytree(
            package / storey,
            tmp_path / "small" / storey,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    (tmp_path / "five.py").write_text(FIVE_OPERATIONS)
    lines = ["import sys", "from five import *"]
    for title, program in PROGRAMS.items():
        lines += [
            f"def program():  # {title}",
            program.replace("\n        ", "\n    "),
            "program()",
        ]
    lines.append("assert not [name for name in sys.modules if name.startswith('minigrad')]")
    (tmp_path / "programs.py").write_text("\n".join(lines))
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    run = subprocess.run(
        [sys.executable, "programs.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
