"""Tensors that leave the program: deep copies, pickles, NumPy and DLPack, against PyTorch."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import pytest
from matplotlib.figure import Figure

import minigrad
from tests.parity import caught, same


def with_gradient(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x * 3).sum().backward()
    return x


def deep_copy_of_a_leaf(T: Any) -> Any:
    x = with_gradient(T)
    y = copy.deepcopy(x)
    with T.no_grad():
        x.mul_(5)
    return x.tolist(), y.tolist(), y.grad.tolist(), y.requires_grad, y.is_leaf, y.grad is x.grad


def deep_copy_keeps_shared_memory(T: Any) -> Any:
    base = T.arange(6.0).view(2, 3)
    row = base[1]
    twins = copy.deepcopy({"base": base, "row": row, "again": row})
    twins["row"].mul_(10)
    return twins["base"].tolist(), base.tolist(), twins["row"] is twins["again"], row._is_view()


def deep_copy_keeps_the_layout(T: Any) -> Any:
    transposed = copy.deepcopy(T.ones(2, 3).t())
    expanded = copy.deepcopy(T.ones(1).expand(3))
    return list(transposed.stride()), list(expanded.stride())


def deep_copy_of_a_result(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    return caught(
        lambda: copy.deepcopy(x * 2), "Only Tensors created explicitly by the user (graph leaves)"
    )


def shallow_copy(T: Any) -> Any:
    x = with_gradient(T)
    y = copy.copy(x)
    with T.no_grad():
        x.mul_(5)
    return y.tolist(), y.grad is None, y.requires_grad, y.is_leaf


def notes_travel_along(T: Any) -> Any:
    x = T.ones(2)
    x.note = ["seen"]
    copies = [copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x))]
    return [(c.note, c.note is x.note) for c in copies]


def functions_of_numpy(T: Any) -> Any:
    x = T.tensor([0.0, 1.0])
    refused = caught(lambda: np.exp(x.requires_grad_()), "Can't call numpy() on Tensor")
    return np.exp(x.detach()), np.add(x.detach(), 1), np.isnan(x.detach()), refused


def hooks_are_not_pickled(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    x.register_hook(lambda g: 2 * g)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = pickle.loads(pickle.dumps(x))
    y.sum().backward()
    said = ["will not be serialized" in str(warning.message) for warning in seen]
    return said, y.grad.tolist()


def backwards(T: Any) -> Any:
    return [
        [int(x) for x in reversed(T.arange(3))],
        reversed(T.ones(2, 2) * T.tensor([[1.0], [2.0]])).tolist(),
    ]


def pickled(T: Any) -> Any:
    x = with_gradient(T)
    made = [x, x * 2, T.arange(3), T.tensor(2.5), T.zeros(0, 2), T.ones(2, 3).t()]
    back = pickle.loads(pickle.dumps(made))
    return [(t.tolist(), t.requires_grad, t.is_leaf, t.grad is None, str(t.dtype)) for t in back]


def pickled_together(T: Any) -> Any:
    base = T.arange(4.0)
    twin, part = pickle.loads(pickle.dumps((base, base[1:])))
    part.mul_(10)
    return twin.tolist()


def numpy_shares_memory(T: Any) -> Any:
    array = np.zeros(3)
    x = T.from_numpy(array)
    x[0] = 1
    array[1] = 2
    x.numpy()[2] = 3
    return x.tolist(), array.tolist(), str(x.dtype)


def dlpack_shares_memory(T: Any) -> Any:
    array = np.zeros(3, np.float32)
    x = T.from_dlpack(array)
    x[0] = 1
    back = np.from_dlpack(x)
    array[1] = 2
    return x.tolist(), back.tolist(), [int(n) for n in x.__dlpack_device__()]


def dlpack_with_gradients(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    return caught(lambda: np.from_dlpack(x), "Can't export tensors that require gradient")


def dlpack_streams(T: Any) -> Any:
    x = T.ones(2)
    names = [type(x.__dlpack__(stream=stream)).__name__ for stream in (None, -1)]
    number = caught(lambda: x.__dlpack__(stream=1), "stream should be None on cpu")
    return names, number, caught(lambda: x.__dlpack__(stream="1"), "stream must be ``int``")


def arrays_of_tensors(T: Any) -> Any:
    """Whether NumPy's array has the tensor's memory, by the way in which it was made."""
    x = T.arange(6.0)
    made = [np.asarray(x), np.asarray(x[::2]), np.asarray(x, np.float32), np.from_dlpack(x)]
    made += [np.array(x), np.array(x[::2]), np.asarray(x, np.float64), np.array(x, copy=True)]
    return [(np.shares_memory(each, x.numpy()), str(each.dtype), each.tolist()) for each in made]


def frames_of_tensors(T: Any) -> Any:
    x = T.arange(6.0).reshape(2, 3)
    series, frame = pandas.Series(x[0]), pandas.DataFrame(x, copy=False)
    both = [np.shares_memory(each.to_numpy(), x.numpy()) for each in (series, frame)]
    columns = pandas.DataFrame({"a": x[:, 0], "b": x[:, 1].double()})
    return both, columns.to_dict(), [str(each) for each in columns.dtypes]


def plots_of_tensors(T: Any) -> Any:
    x = T.arange(3.0)
    axes = Figure().subplots()
    (line,) = axes.plot(x, x**2)
    points = axes.scatter(x, x + 1).get_offsets()
    heights = [float(bar.get_height()) for bar in axes.bar(x, 2 * x)]
    image = axes.imshow(T.ones(2, 3)).get_array()
    return line.get_xydata().tolist(), points.tolist(), heights, image.tolist()


def others_refuse_gradients(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    phrase = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
    uses = [np.asarray, np.array, pandas.Series, lambda x: Figure().subplots().plot(x)]
    return [caught(lambda use=use: use(x), phrase) for use in uses]


def notebooks_show_text(T: Any) -> Any:
    return [name for name in dir(T.ones(1)) if name.startswith("_repr_")]


def scalars_of_numpy(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    two, half = np.float32(2), np.float64(0.5)
    y = two * x + x * half - x / two + x**two
    y.sum().backward()
    return y.tolist(), str(y.dtype), x.grad.tolist()


PROGRAMS: list[Callable[[Any], Any]] = [
    notes_travel_along,
    functions_of_numpy,
    hooks_are_not_pickled,
    backwards,
    deep_copy_of_a_leaf,
    deep_copy_keeps_shared_memory,
    deep_copy_keeps_the_layout,
    deep_copy_of_a_result,
    shallow_copy,
    pickled,
    pickled_together,
    numpy_shares_memory,
    dlpack_shares_memory,
    dlpack_with_gradients,
    dlpack_streams,
    arrays_of_tensors,
    frames_of_tensors,
    plots_of_tensors,
    others_refuse_gradients,
    notebooks_show_text,
    scalars_of_numpy,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_same_as_torch(torch: Any, program: Callable[[Any], Any]) -> None:
    same(torch, program)


def test_both_libraries_share_memory(pytorch: Any) -> None:
    """A tensor of the one, seen as a tensor of the other, without a copy."""
    theirs = pytorch.zeros(3)
    mine = minigrad.from_dlpack(theirs)
    mine[0] = 1.0
    back = pytorch.from_dlpack(mine)
    back[1] = 2.0
    assert theirs.tolist() == mine.tolist() == [1.0, 2.0, 0.0]
