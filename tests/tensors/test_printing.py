"""The printed form of tensors against PyTorch's own, over types, shapes, magnitudes and options."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minigrad.arrays import dtypes
from minigrad.tensors import printing
from tests.record import answer, examples

FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["int8", "uint8", "int16", "int32", "int64"]
NAMES = [*FLOATS, *INTEGERS, "bool"]


@contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """`set_printoptions` for the length of a with block."""
    before = printing._options
    try:
        printing.set_printoptions(**options)
        yield
    finally:
        printing._options = before


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    with printoptions(profile="default"):
        yield


def expected(torch: ModuleType, array: np.ndarray, options: dict[str, Any] | None = None) -> str:
    """Return PyTorch's printed text for the same values under the same options."""
    tensor = torch.from_numpy(np.array(array, order="C"))
    with torch._tensor_str.printoptions(**(options or {})):
        return repr(tensor)


def ours(array: np.ndarray, options: dict[str, Any] | None = None) -> str:
    with printoptions(**(options or {})):
        return printing.tensor_repr(array)


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray:
    """Arrays whose numbers share a magnitude or do not, with values that need care."""
    dtype = np.dtype(draw(st.sampled_from(NAMES)))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=9))
    if dtype.kind != "f":
        return draw(hnp.arrays(dtype, shape))
    power = draw(st.integers(-9, 12))
    special = st.sampled_from([0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan, 1e-4, 1e8])
    number = st.floats(-1, 1).map(lambda x: x * 10.0**power)
    whole = st.integers(-(10**5), 10**5).map(float)
    kind = draw(st.sampled_from([number, whole, special, number | special, whole | special]))
    with np.errstate(over="ignore"):
        return draw(hnp.arrays(np.float64, shape, elements=kind)).astype(dtype)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 8),
        "threshold": st.integers(0, 60),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.integers(1, 120),
        "sci_mode": st.sampled_from([None, True, False]),
        "profile": st.sampled_from(["default", "short", "full", "none of these"]),
    },
)


@examples(
    {"array": np.array(0.0, np.float32), "options": {}},
    {"array": np.array([0.5, np.inf]), "options": {"sci_mode": True}},
    {"array": np.zeros((0, 3), np.int64), "options": {}},
    {"array": np.array(0.5), "options": {"threshold": 0, "edgeitems": 0}},
    array=arrays(),
    options=OPTIONS,
    max_examples=400,
)
def test_text_is_pytorchs(torch: ModuleType, array: np.ndarray, options: dict[str, Any]) -> None:
    assert ours(array, options) == answer(torch, expected, array, options)


@examples(
    array=hnp.arrays(st.sampled_from(FLOATS), hnp.array_shapes(max_dims=2, max_side=5)),
    max_examples=150,
)
def test_any_bits_of_a_float(torch: ModuleType, array: np.ndarray) -> None:
    assert ours(array) == answer(torch, expected, array)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "shape",
    [(1000,), (1001,), (40, 40), (7, 200), (200, 7), (3, 20, 30), (1, 1, 2000), (9, 9, 9, 9)],
)
def test_large_arrays_are_shortened(torch: ModuleType, name: str, shape: tuple[int, ...]) -> None:
    numbers = np.random.default_rng(0).normal(0, 30, shape).astype(name)
    assert ours(numbers) == answer(torch, expected, numbers)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wants", [False, True])
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3,), (12,), (14,), (2, 11)])
def test_suffixes_and_where_they_wrap(
    torch: ModuleType, name: str, wants: bool, shape: tuple[int, ...]
) -> None:
    values = np.full(shape, 2.25).astype(name)
    wants = wants and name in FLOATS

    def texts(T: ModuleType) -> list[str]:
        leaf = T.from_numpy(values).requires_grad_(wants)
        found = [repr(leaf)]
        if wants:
            found.append(repr(leaf * 1))
        if name in FLOATS:
            found.append(repr(T.nn.Parameter(leaf.detach(), requires_grad=wants)))
        return found

    ours = [printing.tensor_repr(values, requires_grad=wants)]
    if wants:
        ours.append(printing.tensor_repr(values, grad_fn_name="MulBackward0"))
    if name in FLOATS:
        ours.append(printing.tensor_repr(values, requires_grad=wants, parameter=True))
    assert ours == answer(torch, texts)


def test_non_default_dtype_is_printed(torch: ModuleType) -> None:
    values = np.ones(2), np.ones(2, np.float32), np.ones(2, np.int64), np.zeros(0, np.int64)

    def theirs(T: ModuleType) -> list[str]:
        T.set_default_dtype(T.float64)
        try:
            return [expected(T, v) for v in values]
        finally:
            T.set_default_dtype(T.float32)

    try:
        dtypes.set_default_dtype(dtypes.float64)
        assert [ours(v) for v in values] == answer(torch, theirs)
    finally:
        dtypes.set_default_dtype(dtypes.float32)


def test_device_other_than_cpu_is_printed() -> None:
    # As PyTorch prints it on a machine with a GPU.
    values = np.ones(1, np.float64)
    text = printing.tensor_repr(values, device="cuda:0", requires_grad=True)
    assert text == "tensor([1.], device='cuda:0', dtype=torch.float64, requires_grad=True)"


def test_views_and_numpy_scalars(torch: ModuleType) -> None:
    values = np.arange(24, dtype=np.float32).reshape(4, 6) / 7
    for view in (values.T, values[::2, ::-1], values[1:1], values[:, 2]):
        assert ours(view) == answer(torch, expected, view)
    assert ours(np.float32(2.5)) == "tensor(2.5000)"
    assert ours(np.int8(-3)) == "tensor(-3, dtype=torch.int8)"


SETTINGS: list[list[dict[str, Any]]] = [
    [{"sci_mode": True}, {"precision": 2}],
    [{"precision": 2, "linewidth": 40}, {"profile": "default"}],
    [{"linewidth": 40}, {"profile": "short"}],
    [{"precision": 7}, {"profile": "full"}],
    [{"precision": 2}, {"profile": "Full"}],
    [{"profile": "short", "precision": 6, "threshold": 3}],
]


@pytest.mark.parametrize("calls", SETTINGS, ids=str)
def test_options_are_those_of_pytorch(torch: ModuleType, calls: list[dict[str, Any]]) -> None:
    def theirs(T: ModuleType) -> dict[str, Any]:
        with T._tensor_str.printoptions(profile="default"):
            for options in calls:
                T.set_printoptions(**options)
            return dict(T._tensor_str.get_printoptions())

    for options in calls:
        printing.set_printoptions(**options)
    assert printing._options._asdict() == answer(torch, theirs)


@pytest.mark.parametrize("value", [1.5, -2, True])
@pytest.mark.parametrize("spec", ["", "8", ".2f", "+e"])
def test_format_of_scalar_tensor_formats_its_number(
    torch: ModuleType, value: Any, spec: str
) -> None:
    array = np.array(value, np.float32 if isinstance(value, float) else None)
    theirs = answer(torch, lambda T: format(T.tensor(value), spec))
    assert printing.tensor_format(array, spec, lambda: "") == theirs


def test_format_of_others_is_the_whole_text(torch: ModuleType) -> None:
    values = np.ones(2, np.float32)

    def refusal(T: ModuleType, array: np.ndarray, class_name: str) -> str:
        tensor = T.tensor(array)
        tensor = T.nn.Parameter(tensor) if class_name == "Parameter" else tensor
        assert format(tensor, "") == repr(tensor)
        with pytest.raises(TypeError) as error:
            format(tensor, ".2f")
        return str(error.value)

    for array, class_name in ((values, "Tensor"), (values, "Parameter"), (values[0], "Parameter")):
        assert printing.tensor_format(array, "", lambda: "whole", class_name) == "whole"
        with pytest.raises(TypeError) as error:
            printing.tensor_format(array, ".2f", lambda: "whole", class_name)
        assert str(error.value) == answer(torch, refusal, array, class_name)


def test_only_shown_elements_are_read() -> None:
    # A view of one number that would fill 8 TiB if anything looked at all of it.
    huge = np.broadcast_to(np.float64(0.25), (2**20, 2**20))
    assert ours(huge).count("0.2500") == 36
