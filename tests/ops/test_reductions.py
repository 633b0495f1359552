"""Odd arguments of reductions, of what chooses elements and of what sorts them: PyTorch takes the
same of them as we do, and refuses the others in the same words.

A `dim` is easily a bool, a float, a number twice or one too many; a tensor has no elements, no
dimensions or whole numbers. NumPy decides many of these cases in its own way.
"""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.numbers import compare
from tests.ops.refusals import Answer, Library, Outcome, outcome
from tests.parity import describe
from tests.record import answer

CALLS = """
x.sum(True)  x.sum((True,))  x.sum((0, True))  x.sum([])  x.sum(2.5)  x.sum((0, 2.5))  x.sum((0, 0))
x.sum((0, -2))  x.sum(5)  x.sum(range(2))  x.sum(keepdim=True)  x.sum(None, True)  x.sum(0, 1)
x.sum(0, None)  x.sum(axis=0, keepdims=True)  x.sum(axis=0, dim=0)  x.sum(dtype=float)
x.sum(dim=T.tensor(1))  x.sum(dtype="a")  x.sum(0, True, T.float32)  T.sum(dim=0, input=x)  T.sum(3)
s.sum(0)  s.sum((0, -1))  s.sum(1)  e.sum((0, 1), True)  i.sum(dtype=T.int32)  b.sum()
x.mean(True)  x.mean((0, 0))  x.mean(dtype=T.int64)  i.mean()  i.mean(5)  i.mean(dtype=T.int64)
e.mean(0)  e.mean((0, 2))  i.mean(dtype=T.float32)
x.prod((0,))  x.prod(None)  x.prod(True)  x.prod(5)  x.prod(0, 1)  s.prod(1)  e.prod(0)
x.var(True)  x.var(0, True, True)  x.var(0, 1)  x.var(0, "a")  x.var(0, None)  x.var(True, True)
x.var(unbiased=False, correction=1)  x.var(unbiased=True, keepdim=True)  x.var(True, keepdim=True)
x.var(0, correction=T.tensor(1))  x.var(correction="a")  x.var(correction=2.5)  x.var((0, True))
x.var(0, False, 1)  i.var()  i.var(0.5)  T.var_mean(i)  e.var(0)  s.var(1)  x.std(())  x.std(0, 0)
x.norm("abc")  x.norm("fro", 5)  x.norm("fro", (0, 1, 2))  x.norm(2, True)  x.norm([1])
x.norm(2, 0, 1)  x.norm(2, (0, 2.5))  x.norm(2, dtype=T.int64)  x.norm(1j)  x.norm(T.tensor(2.0))
x.norm(2, 0, False, T.float64)  i.norm(0)  e.norm(float("inf"))  e.norm(-1, 0)  e.norm(-1, 1)
T.norm([1.0])  T.norm(x, keepdim=1)  T.linalg.vector_norm(x, "fro")  T.linalg.vector_norm(x, None)
T.linalg.vector_norm(x.double(), dtype=T.float32)  T.linalg.vector_norm(i, dtype=T.float32)
x.cumsum(2.5)  x.cumsum(True)  x.cumsum(5)  x.cumsum(0, 0)  x.cumsum(0, dtype=T.bool)  s.cumsum(0)
s.cumsum(1)  x.cumsum_(5)  i.cumsum_(0)  i.cumsum_(0, dtype=T.float32)  b.cumsum_(0)
x.cumprod_(2.5)  x.cumprod(-3)
x.all(())  x.all(True)  x.all((0, 0))  x.all((0, 2.5))  x.all(0, 1)  i.any([])  s.all(())
x.count_nonzero(True)  x.count_nonzero((0, 0))  x.count_nonzero((0, 2.5))  s.count_nonzero(0)
x.amax(True)  x.amax(None)  x.amax(keepdim=True)  x.amax(0, dtype=T.float32)  x.amax((0, 0))
e.amax()  e.amax(0)  e.amax(1)  e.amin((0, 1))  e.amax(2)  s.amax((0, -1))  b.amax()  i.amax(0)
x.logsumexp(())  x.logsumexp(None)  x.logsumexp(2.5)  i.logsumexp(0)  e.logsumexp(0)
s.logsumexp(())
x.max(True)  x.max(None)  x.max((0,))  x.max(keepdim=True)  x.max(T.tensor(0), True)  x.max(other=2)
x.max(x, True)  x.max(other=x, dim=0)  T.max(2, x)  e.max()  e.max(0)  e.max(1)  e.max(-2)  s.max(1)
x.maximum(2)  T.maximum(2, x)  x.maximum(T.ones(5))  T.minimum(x, [1.0])
x.argmax(True)  x.argmax((0,))  x.argmax(0, 1)  b.argmax()  e.argmax()  e.argmax(-2)  s.argmax(2)
x.median(True)  x.median(None)  x.median(keepdim=True)  e.median(0)  e.nanmedian(0)  b.median(0)
b.nanmedian()  e.long().median()
x.sort(True)  x.sort(0, 1)  x.sort(0, stable=True)  x.sort(0, True, stable=True)  x.sort(stable=1)
x.sort(dim=0, stable=False, descending=True)  s.sort(1)  x.argsort(stable=None)  x.argsort(dim=True)
x.topk(2.5)  x.topk(True)  x.topk(9)  x.topk(-1)  x.topk(1, 2.5)  x.topk(1, 0, 1)  b.topk(1)
s.topk(0)  s.topk(2)  e.topk(1, 0)  x.topk(T.tensor(2))
x.clamp()  x.clip_()  x.clamp("a")  x.clamp(0, x)  x.clip(x, 0)  x.clamp_(0.5, x)  x.clamp([1.0])
x.clamp(0.1, T.tensor(0.5))  i.clamp_(0.5)  b.clamp_(1)  b.clamp(True)  b.clamp(0)
x.clamp(T.ones(5))  x.clamp_(T.ones(2, 3, 4))  i.clamp_(T.tensor([0.5, 1.0, 2.0]))
"""


def answered(T: Library, call: str) -> Any:
    x = T.tensor([[0.25, 0.75, 0.5, 2.0], [1.5, -1.0, 0.0, 3.0], [1.0, 1.25, -2.0, 0.125]])
    i, b = T.tensor([[0, 1, 2], [3, 4, 5]]), T.tensor([True, False])
    names = {"T": T, "x": x, "i": i, "b": b, "e": T.empty(0, 3), "s": T.tensor(2.0)}
    return eval(call, names)


def ended(T: Library, call: str) -> tuple[Outcome, Any]:
    """How a call ends, and the result that it has if it is not refused."""
    end = outcome(lambda: answered(T, call))
    return end, None if end.type else describe(T, answered(T, call))


@pytest.mark.parametrize("call", [c for line in CALLS.split("\n") for c in line.split("  ") if c])
@pytest.mark.filterwarnings("ignore")
def test_same_as_pytorch(torch: Any, call: str) -> None:
    mine, theirs = ended(minigrad, call), answer(torch, ended, call)
    both = Answer("", call, mine[0], theirs[0])
    assert both.verdict == "same", f"{mine}\n{theirs}"
    compare(mine[1], theirs[1])
