"""Shapes, joining, slices and copies: calls that differ from an ordinary one in a value, not in the
kind of an argument. Both libraries refuse them in the same words, or do the same.

A float as a size, a bool as a dimension, a size that does not fit, no tensors at all: NumPy takes
some of them, and has words of its own for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.ops.refusals import Library, Outcome, outcome
from tests.record import answer

Call = Callable[[Library, Any, Any, Any], Any]


def tensors(T: Library) -> tuple[Any, Any, Any]:
    """A matrix, a vector and a number."""
    return T.ones(2, 3), T.arange(3.0), T.tensor(1.0)


# Of T, a library, and its matrix x, vector v and number s.
REFUSED: dict[str, Call] = {
    # sizes
    "view without sizes": lambda T, x, v, s: s.view(),
    "view of a negative size": lambda T, x, v, s: x.view(-2, 3),
    "view of two -1": lambda T, x, v, s: x.view(-1, -1),
    "view of too many": lambda T, x, v, s: x.view(4),
    "view of a float": lambda T, x, v, s: x.view(2.0, 3),
    "view of a bool": lambda T, x, v, s: x.view(True, 6),
    "view of a tensor of sizes": lambda T, x, v, s: x.view(T.tensor([3, 2])),
    "view of one number by name": lambda T, x, v, s: x.view(size=3),
    "view twice": lambda T, x, v, s: x.view((3, 2), 1),
    "view across a gap": lambda T, x, v, s: x.t().view(6),
    "view that is ambiguous": lambda T, x, v, s: T.ones(0).view(-1, 0),
    "view_as of a list": lambda T, x, v, s: x.view_as([1]),
    "view_as of another size": lambda T, x, v, s: x.view_as(v),
    "reshape without sizes": lambda T, x, v, s: T.reshape(s),
    "reshape of numbers one by one": lambda T, x, v, s: T.reshape(x, 3, 2),
    "reshape of a string": lambda T, x, v, s: T.reshape(x, "ab"),
    "reshape of a dictionary": lambda T, x, v, s: T.reshape(x, {}),
    "reshape that does not divide": lambda T, x, v, s: x.reshape(-1, 4),
    "expand without sizes": lambda T, x, v, s: s.expand(),
    "expand of too few": lambda T, x, v, s: x.expand(3),
    "expand of another size": lambda T, x, v, s: x.expand(2, 2),
    "expand of a new -1": lambda T, x, v, s: x.expand(-1, 2, 3),
    "expand of a negative size": lambda T, x, v, s: v.expand(-2, 3),
    "expand of an int": lambda T, x, v, s: x.expand(2, 3, implicit=1),
    "broadcast_to of another size": lambda T, x, v, s: T.broadcast_to(x, (2, 2)),
    "unflatten of a float": lambda T, x, v, s: x.unflatten(0, (2.0, 1)),
    "unflatten of two -1": lambda T, x, v, s: x.unflatten(0, (-1, -1)),
    "unflatten of another product": lambda T, x, v, s: x.unflatten(0, (-1, 4)),
    "unflatten of a number": lambda T, x, v, s: s.unflatten(0, (1,)),
    "as_strided of one more stride": lambda T, x, v, s: x.as_strided((2,), (1, 1)),
    "as_strided beyond the memory": lambda T, x, v, s: x.as_strided((9,), (1,)),
    "as_strided backwards": lambda T, x, v, s: x.as_strided((2,), (-1,)),
    "as_strided of a negative size": lambda T, x, v, s: x.as_strided((-2,), (1,)),
    "as_strided before the memory": lambda T, x, v, s: x.as_strided((2,), (1,), -1),
    "as_strided of ints": lambda T, x, v, s: x.as_strided(2, 1),
    "repeat of too few": lambda T, x, v, s: x.repeat(2),
    "repeat of a negative number": lambda T, x, v, s: x.repeat(-1, 1),
    "tile of an int": lambda T, x, v, s: T.tile(x, 2),
    "tile of a negative number": lambda T, x, v, s: x.tile(-1),
    # dimensions
    "permute without dimensions": lambda T, x, v, s: s.permute(),
    "permute of too few": lambda T, x, v, s: x.permute(0),
    "permute of one twice": lambda T, x, v, s: x.permute(0, 0),
    "permute of one that is not there": lambda T, x, v, s: x.permute(0, 2),
    "permute of a bool": lambda T, x, v, s: x.permute(True, 0),
    "transpose of a bool": lambda T, x, v, s: x.transpose(True, 0),
    "transpose of a float": lambda T, x, v, s: x.transpose(0.0, 1),
    "transpose of a number": lambda T, x, v, s: s.transpose(0, 1),
    "transpose_ of one that is not there": lambda T, x, v, s: x.transpose_(0, 3),
    "swapaxes of a string": lambda T, x, v, s: x.swapaxes(0, "a"),
    "swapaxes_ of one that is not there": lambda T, x, v, s: x.swapaxes_(0, 3),
    "swapdims of a string": lambda T, x, v, s: T.swapdims(x, 0, "a"),
    "t of three dimensions": lambda T, x, v, s: T.ones(2, 3, 4).t(),
    "t_ of an argument": lambda T, x, v, s: x.t_(1),
    "unsqueeze too far": lambda T, x, v, s: x.unsqueeze(-4),
    "unsqueeze of a bool": lambda T, x, v, s: x.unsqueeze(True),
    "squeeze of None": lambda T, x, v, s: x.squeeze(None),
    "squeeze of a bool": lambda T, x, v, s: x.squeeze(True),
    "squeeze of one twice": lambda T, x, v, s: x.squeeze((0, 0)),
    "squeeze of a string among others": lambda T, x, v, s: x.squeeze((0, "a")),
    "flatten backwards": lambda T, x, v, s: x.flatten(1, 0),
    "flatten of a bool": lambda T, x, v, s: x.flatten(True),
    "flip of a list": lambda T, x, v, s: T.flip([1.0], 0),
    "flip without dimensions": lambda T, x, v, s: x.flip(),
    "flip of one twice": lambda T, x, v, s: x.flip(0, -2),
    "flip of a number": lambda T, x, v, s: s.flip(1),
    "roll of a bool": lambda T, x, v, s: x.roll(True),
    "roll of a number along a dimension": lambda T, x, v, s: s.roll(1, 1),
    "roll of several without dimensions": lambda T, x, v, s: x.roll((1, 2)),
    "tril of a float": lambda T, x, v, s: x.tril(1.0),
    "tril_ of a leaf and a string": lambda T, x, v, s: x.requires_grad_().tril_("a"),
    "triu of a vector": lambda T, x, v, s: v.triu(),
    # joining and taking apart
    "cat of nothing": lambda T, x, v, s: T.cat([]),
    "cat of a tensor": lambda T, x, v, s: T.cat(x),
    "cat of a number among tensors": lambda T, x, v, s: T.cat([x, 1]),
    "cat of numbers": lambda T, x, v, s: T.cat([s, s]),
    "cat of other ranks": lambda T, x, v, s: T.cat([x, v]),
    "cat of other sizes": lambda T, x, v, s: T.cat([x, T.ones(2, 4)]),
    "cat along a bool": lambda T, x, v, s: T.cat([x, x], True),
    "cat along a float": lambda T, x, v, s: T.cat([x, x], 1.0),
    "cat along what is not there": lambda T, x, v, s: T.cat([T.ones(0), x], 2),
    "concat of a string": lambda T, x, v, s: T.concat("a"),
    "stack of nothing": lambda T, x, v, s: T.stack(()),
    "stack of other sizes": lambda T, x, v, s: T.stack([x, v]),
    "stack along a bool": lambda T, x, v, s: T.stack([x, x], True),
    "stack along what is not there": lambda T, x, v, s: T.stack([x, x], 3),
    "hstack of a number": lambda T, x, v, s: T.hstack([1]),
    "meshgrid of a number": lambda T, x, v, s: T.meshgrid(v, 1),
    "meshgrid of two types": lambda T, x, v, s: T.meshgrid(v, v.long()),
    "meshgrid of an unknown order": lambda T, x, v, s: T.meshgrid(v, v, indexing="a"),
    "split of 0": lambda T, x, v, s: x.split(0),
    "split of a negative size": lambda T, x, v, s: x.split(-1),
    "split of a bool": lambda T, x, v, s: x.split(True),
    "split of a number of NumPy": lambda T, x, v, s: x.split(np.int64(1)),
    "split into a number of NumPy": lambda T, x, v, s: T.split(x, np.int64(1)),
    "split of a float": lambda T, x, v, s: x.split(1.0),
    "split along a bool": lambda T, x, v, s: x.split(1, True),
    "split of sizes with a string": lambda T, x, v, s: x.split([1, "a"]),
    "split of sizes that do not fit": lambda T, x, v, s: x.split([1, 2]),
    "split of nothing": lambda T, x, v, s: x.split(),
    "split of a list": lambda T, x, v, s: T.split([1.0], 1),
    "split of a number": lambda T, x, v, s: s.split(1),
    "chunk of 0": lambda T, x, v, s: x.chunk(0),
    "chunk of a float": lambda T, x, v, s: x.chunk(1.0),
    "unbind along a bool": lambda T, x, v, s: x.unbind(True),
    "unbind of a number": lambda T, x, v, s: s.unbind(),
    "repeat_interleave of nothing": lambda T, x, v, s: x.repeat_interleave(),
    "repeat_interleave of a float": lambda T, x, v, s: x.repeat_interleave(1.0),
    "repeat_interleave of floats": lambda T, x, v, s: x.repeat_interleave(v, 1),
    "repeat_interleave to a wrong size": lambda T, x, v, s: x.repeat_interleave(
        2, 0, output_size=5
    ),
    # parts
    "select of a bool": lambda T, x, v, s: x.select(0, True),
    "select beyond the end": lambda T, x, v, s: x.select(0, 5),
    "narrow from a bool": lambda T, x, v, s: x.narrow(0, True, 1),
    "narrow from a tensor of a bool": lambda T, x, v, s: x.narrow(0, T.tensor(True), 1),
    "narrow from a vector": lambda T, x, v, s: x.narrow(0, T.tensor([1]), 1),
    "narrow of a bool": lambda T, x, v, s: x.narrow(0, 0, True),
    "narrow of a negative length": lambda T, x, v, s: x.narrow(0, 0, -1),
    "diagonal of a bool": lambda T, x, v, s: x.diagonal(True),
    "diagonal of one dimension": lambda T, x, v, s: x.diagonal(0, 0, 0),
    "diag of a float": lambda T, x, v, s: x.diag(1.0),
    "trace of truth values": lambda T, x, v, s: x.bool().trace(),
    # copies
    "clone in a wrong order": lambda T, x, v, s: x.clone(memory_format=1),
    "contiguous in no order": lambda T, x, v, s: x.contiguous(memory_format=None),
    "copy_ of a list": lambda T, x, v, s: x.copy_([1.0]),
    "copy_ of another shape": lambda T, x, v, s: x.copy_(T.ones(4)),
    "copy_ with a number for a bool": lambda T, x, v, s: x.copy_(v, 1),
    "fill_ of a vector": lambda T, x, v, s: x.fill_(v),
    "fill_ of a string": lambda T, x, v, s: x.fill_("a"),
    "fill_ of too much": lambda T, x, v, s: x.half().fill_(1e6),
    "fill_ of a complex number": lambda T, x, v, s: x.fill_(1 + 2j),
    "zero_ of an argument": lambda T, x, v, s: x.zero_(1),
    "to a dtype and a device": lambda T, x, v, s: x.to(T.float64, "cpu"),
    "to a tensor and a dtype": lambda T, x, v, s: x.to(v, T.float64),
    "to with a number for a bool": lambda T, x, v, s: x.to(T.float64, copy=1),
    "to a type of NumPy": lambda T, x, v, s: x.to(np.dtype("float64")),
    "type_as of a number": lambda T, x, v, s: x.type_as(1),
    "double of an argument": lambda T, x, v, s: x.double("a"),
    "result_type of a string": lambda T, x, v, s: T.result_type(x, "a"),
}

TAKEN: dict[str, Call] = {
    "triu_ from the diagonal": lambda T, x, v, s: T.ones(3, 3).triu_(),
    "tril_ from the diagonal": lambda T, x, v, s: T.ones(3, 3).tril_(),
    "view of a number of NumPy": lambda T, x, v, s: x.view(np.int64(3), 2),
    "view of a number tensor": lambda T, x, v, s: x.view(T.tensor(3), 2),
    "view of a bool at the end": lambda T, x, v, s: x.view(6, True),
    "broadcast_to of numbers": lambda T, x, v, s: v.broadcast_to(2, 3),
    "transpose of numbers of NumPy": lambda T, x, v, s: x.transpose(np.int64(0), T.tensor(1)),
    "swapaxes by name": lambda T, x, v, s: x.swapaxes(axis0=0, axis1=1),
    "squeeze of several": lambda T, x, v, s: T.ones(1, 2, 1).squeeze(0, 2),
    "squeeze_ of several": lambda T, x, v, s: T.ones(1, 2, 1).squeeze_(0, 2),
    "squeeze of a number": lambda T, x, v, s: s.squeeze((0,)),
    "cat of empty vectors": lambda T, x, v, s: T.cat([T.ones(0), T.ones(0)], 1),
    "cat of an empty double": lambda T, x, v, s: T.cat([T.ones(0, dtype=T.float64), x]),
    "cat of turned matrices": lambda T, x, v, s: T.cat([x.t(), x.t()]).stride(),
    "expand of one": lambda T, x, v, s: v[:1].expand(3, 1).stride(),
    "expand to a new one": lambda T, x, v, s: x[:, :1].expand(1, 1, -1, 2).stride(),
    "expand of a number": lambda T, x, v, s: s.expand(2, 1).stride(),
    "cat by NumPy's name": lambda T, x, v, s: T.cat([x, x], axis=1),
    "stack of several types": lambda T, x, v, s: T.stack([x.int(), x.half(), x.double()]),
    "split by name": lambda T, x, v, s: T.split(tensor=x, split_size_or_sections=1),
    "split of a tensor": lambda T, x, v, s: x.split(T.tensor(1)),
    "split of nothing into pieces of nothing": lambda T, x, v, s: T.ones(0, 3).split(0),
    "split of no columns into pieces of nothing": lambda T, x, v, s: T.ones(3, 0).split(0, 1),
    "split of nothing into nothing": lambda T, x, v, s: T.ones(0, 3).split([]),
    "roll without dimensions": lambda T, x, v, s: v.roll(1, None),
    "roll of an empty vector": lambda T, x, v, s: T.ones(0).roll(1, 1),
    "narrow from a tensor": lambda T, x, v, s: x.narrow(0, T.tensor(-1), 1),
    "copy_ of a number of NumPy": lambda T, x, v, s: x.copy_(np.float64(2.0)),
    "copy_ of a complex number": lambda T, x, v, s: x.copy_(1 + 2j),
    "fill_ of a number of NumPy": lambda T, x, v, s: x.fill_(np.int64(2)),
    "where a number is not zero": lambda T, x, v, s: T.nonzero(s + 1, as_tuple=True),
    "where a number is zero": lambda T, x, v, s: (s * 0).nonzero(as_tuple=True),
    "where a number is not zero, by rows": lambda T, x, v, s: (s + 1).nonzero(),
    "to a type of Python": lambda T, x, v, s: x.to(int),
    "to the type of a number": lambda T, x, v, s: x.to(1.5),
    "to a tensor by name": lambda T, x, v, s: x.to(tensor=s.double()),
    "result_type by name": lambda T, x, v, s: T.result_type(scalar=1, tensor=x),
}


def said(T: Library, name: str) -> Outcome:
    return outcome(lambda: REFUSED[name](T, *tensors(T)))


def text(T: Library, name: str) -> str:
    return repr(TAKEN[name](T, *tensors(T)))


@pytest.mark.parametrize("name", REFUSED)
def test_errors_have_pytorch_text(torch: Any, name: str) -> None:
    mine, theirs = said(minigrad, name), answer(torch, said, name)
    assert theirs.type
    assert (mine.type, mine.line) == (theirs.type, theirs.line)


@pytest.mark.parametrize("name", TAKEN)
def test_accepted_calls_have_same_result(torch: Any, name: str) -> None:
    assert text(minigrad, name) == answer(torch, text, name)


@pytest.mark.parametrize("shape", ["t_", "squeeze_", "transpose_", "unsqueeze_"])
def test_refused_reshape_leaves_tensor_unchanged(shape: str) -> None:
    x = minigrad.ones(2, 3, 4)
    arguments = {"t_": (), "squeeze_": (5,), "transpose_": (0, 5), "unsqueeze_": (-9,)}[shape]
    with pytest.raises((RuntimeError, IndexError)):
        getattr(x, shape)(*arguments)
    assert (x.shape, x._version) == ((2, 3, 4), 0)
