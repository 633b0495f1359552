"""Element types, promotion and devices against PyTorch's own."""

from __future__ import annotations

import copy
import itertools
import pickle
import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from minigrad.arrays import devices, dtypes, gpus
from tests.record import PRESENT, answer

FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["int8", "uint8", "int16", "int32", "int64"]
NAMES = [*FLOATS, *INTEGERS, "bool"]
OURS = {n: getattr(dtypes, n if n != "bool" else "bool_") for n in NAMES}

Torch = Any


@pytest.fixture(params=FLOATS)
def default(request: pytest.FixtureRequest, torch: Torch) -> Iterator[str]:
    """Each floating type in turn as the default type of both libraries."""
    if PRESENT:
        torch.set_default_dtype(getattr(torch, request.param))
    dtypes.set_default_dtype(OURS[request.param])
    yield request.param
    if PRESENT:
        torch.set_default_dtype(torch.float32)
    dtypes.set_default_dtype(dtypes.float32)


@pytest.mark.parametrize("name", NAMES)
def test_attributes(torch: Torch, name: str) -> None:
    attributes = ("is_floating_point", "is_complex", "is_signed", "itemsize", "abbr")

    def seen(dtype: Any) -> list[Any]:
        found = [getattr(dtype, attribute) for attribute in attributes]
        return [*found, repr(dtype), str(dtype), repr(dtype.to_real())]

    def of_a_tensor(T: Torch) -> tuple[np.ndarray, str]:
        values = T.zeros(1, dtype=getattr(T, name))
        return values.numpy(), values.type()

    ours = OURS[name]
    assert seen(ours) == answer(torch, lambda T: seen(getattr(T, name)))
    values, type_name = answer(torch, of_a_tensor)
    assert ours.numpy == values.dtype
    assert dtypes.tensor_type_name(ours.numpy) == type_name
    assert dtypes.dtype_of(values) is ours


def test_other_names_of_the_same_types(torch: Torch) -> None:
    for alias in ("half", "double", "short", "long", "int_", "float_"):
        theirs = answer(torch, lambda T, name: repr(getattr(T, name)), alias.rstrip("_"))
        assert repr(getattr(dtypes, alias)) == theirs
    assert dtypes.tensor_type_name(np.dtype("float64"), "cuda:0") == "torch.cuda.DoubleTensor"


@pytest.mark.parametrize("name", NAMES)
def test_there_is_one_of_each_type(name: str) -> None:
    ours = OURS[name]
    assert pickle.loads(pickle.dumps(ours)) is ours
    assert copy.deepcopy(ours) is ours
    with pytest.raises(TypeError, match=r"cannot create 'torch.dtype' instances"):
        dtypes.dtype("float32")


def test_accepted_names_of_dtypes(torch: Torch) -> None:
    for given in (int, float, bool):
        ours = dtypes.to_numpy_dtype(given)
        theirs = answer(torch, lambda T, given: repr(T.zeros(1, dtype=given).dtype), given)
        assert repr(dtypes.from_numpy_dtype[ours]) == theirs
    assert dtypes.to_numpy_dtype(dtypes.int16) == dtypes.to_numpy_dtype(np.dtype("int16"))
    for bad in ("float32", 3, str, None):
        with pytest.raises(TypeError, match=r"argument 'dtype' must be torch.dtype, not "):
            dtypes.to_numpy_dtype(bad)
    for unsupported in ("complex64", "U3", "O", "M8[s]"):
        with pytest.raises(TypeError, match=r"can't convert np.ndarray of type"):
            dtypes.to_numpy_dtype(np.dtype(unsupported))
        with pytest.raises(TypeError, match=r"can't convert np.ndarray of type"):
            dtypes.dtype_of(np.empty(1, unsupported))


@pytest.mark.parametrize("a, b", list(itertools.product(NAMES, NAMES)))
def test_promote_and_cast(torch: Torch, a: str, b: str) -> None:
    def theirs(T: Torch) -> tuple[str, bool]:
        types = getattr(T, a), getattr(T, b)
        return repr(T.promote_types(*types)), T.can_cast(*types)

    ours = OURS[a], OURS[b]
    assert (repr(dtypes.promote_types(*ours)), dtypes.can_cast(*ours)) == answer(torch, theirs)


OPERANDS: list[Any] = [
    *(np.zeros(shape, n) for n in NAMES for shape in [(2,), ()]),
    *(np.dtype(n).type(0) for n in NAMES),
    *(True, 3, 2.5),
]
"""Everything that takes part in promotion."""


def result_types(T: Torch) -> list[str]:
    """Return PyTorch's result type for each pair of them."""
    theirs = [
        T.tensor(each) if isinstance(each, np.generic | np.ndarray) else each for each in OPERANDS
    ]
    return [repr(T.result_type(a, b)) for a, b in itertools.product(theirs, repeat=2)]


def test_result_of_two_operands(torch: Torch, default: str) -> None:
    pairs = itertools.product(OPERANDS, repeat=2)
    for (a, b), theirs in zip(pairs, answer(torch, result_types), strict=True):
        ours = dtypes.from_numpy_dtype[dtypes.result_dtype(a, b)]
        assert repr(ours) == theirs, (a, b)


def test_result_of_three_operands(torch: Torch) -> None:
    # The three ranks at once; PyTorch's `stack` of a condition has no such function, so by hand.
    array, zero_d = np.zeros(2, "int8"), np.float64(1)
    assert dtypes.result_dtype(array, zero_d, 2) == np.float64
    assert dtypes.result_dtype(array, np.int64(1), 2) == np.int8
    assert dtypes.result_dtype(array, np.zeros(2, "uint8"), 2.5) == np.float32
    assert dtypes.result_dtype(True) == np.bool_
    with pytest.raises(ValueError, match="at least one operand"):
        dtypes.result_dtype()
    with pytest.raises(TypeError, match="expected a tensor or a number, got str"):
        dtypes.result_dtype(array, "2")


def test_default_type(torch: Torch, default: str) -> None:
    def seen(T: Any) -> list[str]:
        found = [repr(T.get_default_dtype())]
        for bad in (T.int64, "float32"):
            with pytest.raises(TypeError) as error:
                T.set_default_dtype(bad)
            found.append(str(error.value))
        return [*found, repr(T.get_default_dtype())]

    assert seen(dtypes) == answer(torch, seen)


@pytest.mark.parametrize("name", FLOATS)
def test_limits(torch: Torch, name: str) -> None:
    ours = dtypes.finfo(OURS[name])

    def seen(limits: Any) -> list[Any]:
        values = [getattr(limits, attribute) for attribute in type(ours).__slots__]
        return [repr(limits), *values, *(type(value).__name__ for value in values)]

    assert seen(ours) == answer(torch, lambda T: seen(T.finfo(getattr(T, name))))


@pytest.mark.parametrize("given", ["int64", "bool", 3])
def test_finfo_of_integer_type_raises(torch: Torch, given: Any) -> None:
    def refusal(finfo: Any, given: Any) -> str:
        with pytest.raises(TypeError) as error:
            finfo(given)
        return str(error.value)

    theirs = answer(torch, lambda T: refusal(T.finfo, getattr(T, str(given), given)))
    assert refusal(dtypes.finfo, OURS.get(given, given)) == theirs


def test_limits_of_the_default(torch: Torch, default: str) -> None:
    assert repr(dtypes.finfo()) == answer(torch, lambda T: repr(T.finfo()))


# --- Devices

DEVICES = [("cpu",), ("cuda",), ("cuda:1",), ("cuda", 1), ("cpu:0",), ("cuda:10",), ("cpu", 0)]


@pytest.mark.parametrize("args", DEVICES, ids=str)
def test_device_text_and_equality(torch: Torch, args: tuple[Any, ...]) -> None:
    def seen(T: Any) -> list[Any]:
        made = T.device(*args)
        equal = [made == T.device(*other) for other in DEVICES]
        return [str(made), repr(made), made.type, made.index, equal]

    assert seen(devices) == answer(torch, seen)
    ours = devices.device(*args)
    assert devices.device(ours) == ours
    assert hash(devices.device(ours)) == hash(ours)
    assert pickle.loads(pickle.dumps(ours)) == copy.deepcopy(ours) == ours
    assert ours != str(ours)


BAD_DEVICES: list[tuple[Any, ...]] = [
    ("",),
    ("cuda:x",),
    ("cuda:-1",),
    ("cuda:01",),
    ("cuda:",),
    ("cuda:0", 1),
    ("cpu", -3),
    (-1,),
    ("gpu 1",),
    ("cuda1x",),
    ("cuda_1",),
]


@pytest.mark.parametrize("args", BAD_DEVICES, ids=str)
def test_device_errors(torch: Torch, args: tuple[Any, ...]) -> None:
    def refusal(T: Any) -> str:
        with pytest.raises(RuntimeError) as error:
            T.device(*args)
        return str(error.value)

    assert refusal(devices) == answer(torch, refusal)


def test_unknown_devices() -> None:
    for name in ("foo", "mps", "CUDA"):
        with pytest.raises(
            RuntimeError, match=r"Expected one of cpu, cuda device type at start of"
        ):
            devices.device(name)
    for bad in (None, 3.5, True):
        with pytest.raises(TypeError, match="received an invalid combination of arguments"):
            devices.device(bad)


class CuPyArray:
    """Stands for an array on a GPU where there is none."""

    ndim, dtype = 1, np.dtype("float32")
    __cuda_array_interface__: dict[str, Any] = {}
    device = SimpleNamespace(id=1)


class NoDriver(Exception):
    pass


def cupy_with(count: Callable[[], int]) -> ModuleType:
    module = ModuleType("cupy")
    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=NoDriver)
    vars(module).update(ndarray=CuPyArray, cuda=SimpleNamespace(runtime=runtime))
    return module


def fail() -> int:
    raise NoDriver


def test_without_cupy_there_is_only_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert not devices.cuda_is_available()
    assert gpus.array_module_for(devices.device("cpu")) is np
    with pytest.raises(RuntimeError, match="No CUDA GPUs are available"):
        gpus.array_module_for(devices.device("cuda"))
    with pytest.raises(RuntimeError, match="Cannot access accelerator device when none is"):
        devices.device(0)
    for array in (np.zeros(2), np.float32(1), [1.0]):
        assert devices.get_array_module(array) is np
    assert str(devices.device_of(np.zeros(2))) == str(devices.device_of(np.float64(1))) == "cpu"


def test_with_cupy_but_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", cupy_with(fail))
    assert not devices.cuda_is_available()


def test_cupy_arrays_keep_module_and_device(monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = cupy_with(lambda: 2)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert devices.cuda_device_count() == 2
    assert repr(devices.device(1)) == "device(type='cuda', index=1)"
    assert gpus.array_module_for(devices.device("cuda")) is cupy
    assert devices.get_array_module(CuPyArray()) is cupy
    assert devices.get_array_module(np.zeros(2)) is np
    assert devices.device_of(CuPyArray()) == devices.device("cuda:1")
    assert dtypes.result_dtype(CuPyArray(), 2.5) == np.float32
