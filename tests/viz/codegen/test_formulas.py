"""Which formulas are written out as straight-line code, and how; and which are not, and why.

A formula here is a function of the gradient g and of x, which its node has saved. That those of all
operations are true is shown in tests/programs/test_written_programs.py.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from minigrad_viz.codegen.arrays import same_bits, same_layout
from minigrad_viz.codegen.constants import NotWritten, text_of
from minigrad_viz.codegen.formulas import write_formula

import minigrad as mg
from minigrad.autograd.replay import Replay, Saved
from minigrad.core.operation import Operation, apply

Formula = Callable[[Any, Any], Any]

X = np.array([0.5, -2.0, 3.0], np.float32)
DOUBLE = np.array([1.0, 2.0, 3.0])
ELSEWHERE = np.zeros(3, np.float32)
COUNT = itertools.count()


def lines(formula: Formula, g: Any = None, x: Any = X) -> list[str]:
    """The formula as it is written out: statements, and what it gives."""

    def gradient(g: Any, self: Any) -> Any:
        return formula(g, self)

    members = {"forward": staticmethod(np.copy), "gradient": staticmethod(gradient)}
    toy = type("ToyBackward0", (Operation,), members)
    node: Any = apply(toy, mg.tensor(x, requires_grad=True)).grad_fn
    g = np.arange(1, x.size + 1, dtype=np.float32).reshape(x.shape) if g is None else g
    found = formula(g.copy(), x.copy())
    code = write_formula(Replay(node), [g], [ast.Name("g")], [found], naming)
    return [*map(text_of, code.statements), text_of(code.outgoing[0] or ast.Constant(None))]


def naming(saved: Saved) -> ast.expr:
    return ast.Name("x" if saved.tensor is not None else "c")


def filled(g: Any, x: Any) -> Any:
    room = g.copy()
    room.fill(2)
    return room * x


def copied_to(g: Any, x: Any) -> Any:
    room = g * 1
    np.copyto(room, x)
    return room


def summed_into(g: Any, x: Any) -> Any:
    room = np.zeros_like(g)
    np.cumsum(g, out=room)
    return room * x


def added_into(g: Any, x: Any) -> Any:
    room = np.empty_like(g)
    return np.add(g, x, out=room)


def added_at(g: Any, x: Any) -> Any:
    room = np.zeros_like(g)
    np.add.at(room, np.array([0, 0, 2]), g)
    return room


def kept_narrow(g: Any, x: Any) -> Any:
    """In place the result stays of 32 bits."""
    room = g * x
    room += DOUBLE
    return room


def in_place(g: Any, x: Any) -> Any:
    room = g * x
    room += g
    return room


def number_in_place(g: Any, x: Any) -> Any:
    total = g.sum()
    total *= 2
    return x * total


def one_by_one(g: Any, x: Any) -> Any:
    first, *others = x
    return g * first + others[-1]


def locked(g: Any, x: Any) -> Any:
    room = g * x
    room.flags.writeable = False
    return room


WRITTEN: dict[str, tuple[Formula, list[str]]] = {
    "a product": (lambda g, x: g * x, ["g * x"]),
    "the gradient first": (lambda g, x: x * x * g, ["g * (x * x)"]),
    "one minus a product": (lambda g, x: -x * g + 1, ["1 - x * g"]),
    "from the right": (lambda g, x: 2 - (1 / x) ** g, ["2 - (1 / x) ** g"]),
    "a number in a type": (lambda g, x: g * np.float32(-0.1), ["g * np.float32(-0.1)"]),
    "infinities": (lambda g, x: np.where(x > 1, np.inf, -g), ["np.where(x > 1, np.inf, -g)"]),
    "nan": (lambda g, x: np.where(x > 1, np.nan, g), ["np.where(x > 1, np.nan, g)"]),
    "Python's own types": (lambda g, x: g.astype(float), ["g.astype(float)"]),
    "a type": (lambda g, x: g.astype(x.dtype) * x, ["g.astype(np.float32) * x"]),
    "slices": (lambda g, x: g[::-1] * x[:1], ["g[::-1] * x[:1]"]),
    "parts of a whole": (
        lambda g, x: (g[..., None] * x[:, ...])[0, 1:],
        ["(g[..., None] * x[:])[0, 1:]"],
    ),
    "an index of a constant": (lambda g, x: g[np.array([2, 0])], ["g[c]"]),
    "a size": (lambda g, x: g / np.size(x), ["g / 3"]),
    "a part of a function's results": (
        lambda g, x: np.linalg.eigh(np.multiply.outer(x, x) + g)[0],
        ["t1 = np.linalg.eigh(np.multiply.outer(x, x) + g)", "t1[0]"],
    ),
    "an absolute value": (lambda g, x: abs(g) * x, ["abs(g) * x"]),
    "a method that writes": (filled, ["t1 = g.copy()", "t1.fill(2)", "t1 * x"]),
    "a function that writes": (copied_to, ["t1 = g * 1", "np.copyto(t1, x)", "t1"]),
    "a function with out": (
        summed_into,
        ["t1 = np.zeros_like(g)", "np.cumsum(g, out=t1)", "t1 * x"],
    ),
    "an operation with out": (added_into, ["t1 = np.empty_like(g)", "np.add(g, x, out=t1)", "t1"]),
    "an operation at places": (added_at, ["t1 = np.zeros_like(g)", "np.add.at(t1, c, g)", "t1"]),
    "in place in the narrower type": (kept_narrow, ["t1 = g * x", "t1 += c", "t1"]),
    "in place of what is new": (in_place, ["g * x + g"]),
    "in place of a number": (number_in_place, ["x * (g.sum() * 2)"]),
    "one by one": (one_by_one, ["g * x[0] + x[2]"]),
    "all of a number is an array": (lambda g, x: (g * x).sum()[...], ["(g * x).sum()[...]"]),
    "an array that may not be written": (
        locked,
        ["t1 = g * x", "t1.flags.writeable = False", "t1"],
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_written_as(name: str) -> None:
    formula, text = WRITTEN[name]
    assert lines(formula) == text


def fails(g: Any, x: Any) -> Any:
    if type(g) is not np.ndarray:
        raise ValueError("no stand-ins")
    return g


REFUSED: dict[str, tuple[Formula, str]] = {
    "a list": (lambda g, x: g * x.tolist()[0], "it takes numbers out of an array: tolist"),
    "an item": (lambda g, x: g * x[0].item(), "it takes numbers out of an array: item"),
    "a float": (lambda g, x: g * float(x[0]), "it takes a number out of an array"),
    "an int": (lambda g, x: g * int(x[0]), "it takes a number out of an array"),
    "as an index": (lambda g, x: g[(0, 1, 2)[g.astype(int)[0]]] * x, "it takes a number out"),
    "the base": (lambda g, x: x if g[:1].base is None else g, "it looks for the memory"),
    "an array of it": (lambda g, x: np.array(g) * x, "it takes numbers out of an array"),
    "a deep copy": (lambda g, x: copy.deepcopy(g) * x, "it takes numbers out of an array"),
    "an array from elsewhere": (
        lambda g, x: np.add(g, x, out=ELSEWHERE),
        "it writes into an array that was not there before",
    ),
    "a function of one's own": (
        lambda g, x: np.frompyfunc(abs, 1, 1)(g).astype(np.float32),
        "is none of NumPy's names",
    ),
    "an error": (fails, "ValueError: no stand-ins"),
    "other numbers each time": (lambda g, x: g * next(COUNT), "the text gives other numbers"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_not_written_for(name: str) -> None:
    formula, why = REFUSED[name]
    with pytest.raises(NotWritten, match=why):
        lines(formula)


def test_arrays_of_another_library_are_not_written() -> None:
    node: Any = mg.ones(2, requires_grad=True).exp().grad_fn
    with pytest.raises(NotWritten, match="its arrays are not NumPy's"):
        write_formula(Replay(node), [object()], [ast.Name("g")], [object()], naming)


def test_packed_tensors_must_be_given() -> None:
    x = mg.ones(2, requires_grad=True)
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), mg.tensor):
        y = x * x.exp()
    node: Any = y.grad_fn
    g = np.ones(2, np.float32)
    with pytest.raises(NotWritten, match="a hook has packed what it saved"):
        write_formula(Replay(node), [g], [ast.Name("g")], [g, g], naming)


def test_nodes_that_are_no_operations() -> None:
    node: Any = mg.ones(2, requires_grad=True).view_as(mg.ones(2)).grad_fn.next_functions[0][0]
    with pytest.raises(NotWritten, match="it is no operation of minigrad's"):
        write_formula(Replay(node), [], [], [], naming)


def array(*values: float, dtype: Any = np.float32) -> Any:
    return np.array(values, dtype)


NAN = np.float32(np.nan)
SAME: dict[str, tuple[Any, Any, bool, bool]] = {
    "the same": (array(1, 2), array(1, 2), True, True),
    "other numbers": (array(1, 2), array(1, 3), False, False),
    "another type": (array(1, 2), array(1, 2, dtype=np.float64), False, False),
    "another shape": (array(1, 2), array(1, 2)[None], False, False),
    "two NaNs": (array(1, NAN), array(1, -NAN), True, True),
    "two zeros": (array(0.0, NAN), array(-0.0, NAN), False, False),
    "in other steps": (array(1, 1, 1)[::2], array(1, 1), True, False),
    "one element in other steps": (array(1, 2)[::2], array(1), True, True),
    "a number and an array": (np.float32(1), np.array(1, np.float32), True, False),
    "an array and a number": (np.array(1, np.float32), np.float32(1), True, False),
    "an array and a list": ([1.0], array(1), False, False),
    "nothing in other steps": (np.ones((0, 3)), np.ones((3, 0)).T, True, True),
}


@pytest.mark.parametrize("name", SAME)
def test_same_bits_and_layout(name: str) -> None:
    a, b, bits, layout = SAME[name]
    assert same_bits(a, b) is bits
    if isinstance(a, np.ndarray | np.generic):
        assert same_layout(a, b) is layout


def test_no_gradient_is_the_same_as_none() -> None:
    assert same_layout(None, None)
    assert not same_layout(None, X)
    assert not same_layout(X, None)
