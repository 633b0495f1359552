"""PyTorch's words for values out of range: dims, sizes, indices, shapes that do not fit.

PyTorch's wheel carries a table of its operations for its own tests, `op_db`, and each entry knows
calls that must be refused, `error_inputs`. Every such call of a name that minigrad has is made here
on both libraries. What the table says of the error is not used: PyTorch is run, and what it raises
is what counts. Left out, by rule (`why_not`), is what cannot be said here at all: an argument or
an element type that minigrad has not; and what PyTorch itself accepts when called by name (the
table wraps some functions in others).

`python -m tests.ops.test_error_inputs [name ...]` prints every disagreement, of all operations or
of those named (`cat`, `nn.functional.conv2d`), and what was left out.
"""

from __future__ import annotations

import inspect
import operator
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import minigrad
from tests.ops.refusals import Answer, Library, Summary, at_most, outcome
from tests.parity import type_name

# What is measured today, of the aims: 0.95 with the same type, 0.80 with the same first line, and
# none accepted. These numbers may only come closer to the aims.
SAME_TYPE = 0.99
SAME_FIRST_LINE = 0.99
ACCEPTED = 0

NUMPY_DIMENSIONS = 64  # as many as an array of NumPy's can have


class Unknown(Exception):
    """minigrad has no such value: a complex number, an element type."""


@dataclass(frozen=True)
class Sample:
    """One call of `op_db` with PyTorch's values; `name` is the operation's."""

    name: str
    args: tuple[Any, ...]
    named: dict[str, Any]

    def __str__(self) -> str:
        named = (f"{key}={shown(value)}" for key, value in self.named.items())
        return f"{self.name}({', '.join([*map(shown, self.args), *named])})"

    def on(self, T: Library) -> Callable[[], Any]:
        """The call, ready to be made on one of the libraries."""
        translate = Translation() if T is minigrad else (lambda value: value)
        args = [translate(value) for value in self.args]
        named = {key: translate(value) for key, value in self.named.items()}
        function = at(T, self.name)
        return lambda: function(*args, **named)


def at(T: Library, name: str) -> Any:
    """The function `name`, or the method where there is no function. None if there is neither."""
    for home in (T, T.Tensor):
        try:
            return operator.attrgetter(name)(home)
        except AttributeError:
            pass
    return None


class Translation:
    """From PyTorch's values to ours; one tensor given twice becomes one tensor given twice."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        import torch

        if isinstance(value, torch.Tensor):
            if id(value) not in self.made:
                self.made[id(value)] = self.tensor(value)
            return self.made[id(value)]
        if isinstance(value, torch.dtype):
            return dtype(value)
        if isinstance(value, (list, tuple)):
            return type(value)(self(item) for item in value)
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items()}
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        raise Unknown(f"value of type {type(value).__name__}")

    def tensor(self, value: Any) -> Any:
        """The same values with the same strides: some calls are refused for the memory alone."""
        if value.layout != value.new_empty(0).layout or value.device.type != "cpu":
            raise Unknown(f"tensor that is {value.layout} on {value.device}")
        if value.ndim > NUMPY_DIMENSIONS:
            raise Unknown(f"tensor of {value.ndim} dimensions")
        kind = dtype(value.dtype)
        memory = value.new_empty(0).set_(value.untyped_storage())
        made = minigrad.tensor(memory.numpy(), dtype=kind)
        made = made.as_strided(tuple(value.shape), value.stride(), value.storage_offset())
        return made.detach().requires_grad_(value.requires_grad)


def dtype(theirs: Any) -> Any:
    """Our element type of the same name."""
    try:
        return getattr(minigrad, type_name(theirs))
    except AttributeError:
        raise Unknown(f"element type {theirs}") from None


def shown(value: Any) -> str:
    """A value in a listing: of a tensor only type and shape."""
    if hasattr(value, "requires_grad"):
        return f"{type_name(value.dtype)}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(shown, value))}]"
    return repr(value)


def samples() -> Iterator[Sample]:
    """All calls of the table that belong to a name that minigrad has.

    `__radd__` and its kind are no names that a program calls: an operator calls them, and `2 + 3`
    never comes to a tensor.
    """
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    torch.manual_seed(0)  # the table draws the values of its tensors
    for op in op_db:
        known = not op.name.startswith("__") and at(minigrad, op.name) is not None
        if known and op.error_inputs_func is not None:
            for error in op.error_inputs("cpu"):
                given = error.sample_input
                yield Sample(op.name, (given.input, *given.args), dict(given.kwargs))


def why_not(sample: Sample) -> str:
    """Why a call is left out; "" if it is not."""
    parameters = inspect.signature(at(minigrad, sample.name)).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for key in sample.named:
        if key == "out" or (key not in parameters and not takes_any):
            return f"minigrad has no argument {key!r}"
    try:
        sample.on(minigrad)
    except Unknown as missing:
        return f"minigrad has no {missing}"
    return ""


def summary(torch: Any, *names: str) -> tuple[Summary, Counter[str]]:
    """The answers to all calls, or to those of `names`, and what was left out, counted."""
    answers, left_out = [], Counter[str]()
    for sample in samples():
        if names and sample.name not in names:
            continue
        reason = why_not(sample)
        theirs = outcome(sample.on(torch))
        if not theirs.type:
            reason = "PyTorch accepts it"
        if reason:
            left_out[f"{sample.name}: {reason}"] += 1
            continue
        answers.append(Answer(sample.name, str(sample), outcome(sample.on(minigrad)), theirs))
    return Summary(tuple(answers)), left_out


@pytest.fixture(scope="module")
def found(torch: Any) -> Summary:
    """Made once: the table alone takes two seconds to import."""
    pytest.importorskip("expecttest", reason="expecttest is not installed")
    return summary(torch)[0]


def test_the_table_has_many_calls(found: Summary) -> None:
    """A table that moved or a rule that leaves out too much would let everything pass."""
    assert len(found.answers) > 200
    assert len({answer.function for answer in found.answers}) > 60


def test_same_type(found: Summary) -> None:
    """Aim: at least 0.95."""
    assert found.same_type >= SAME_TYPE, found.worst(found.having("other type"))


def test_same_first_line(found: Summary) -> None:
    """Aim: at least 0.80."""
    assert found.same_line >= SAME_FIRST_LINE, found.worst(found.having("other words"))


def test_nothing_accepted_that_pytorch_refuses(found: Summary) -> None:
    """Aim: none."""
    at_most(found, "accepted", ACCEPTED)


if __name__ == "__main__":
    import torch

    listed, left_out = summary(torch, *sys.argv[1:])
    for reason, count in left_out.items():
        print(f"left out, {count} of {reason}")
    listed.print()
