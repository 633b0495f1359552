"""The helpers of `torch.testing` that PyTorch's tests use, for tensors of minigrad.

Values are compared, drawn and parametrized by PyTorch's own helpers: they get PyTorch's tensors and
dtypes, and the tests get minigrad's. A name that is not here is PyTorch's.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import inspect
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
import torch.testing
from torch.testing._internal import (
    common_device_type,
    common_dtype,
    common_methods_invocations,
    common_utils,
)

import minigrad
from minigrad import nn
from minigrad.arrays.dtypes import dtype as Dtype
from minigrad.arrays.dtypes import from_numpy_dtype
from minigrad.core.hooks import Hooks

from . import private_names, standing
from .stand_ins import STAND_INS

REMADE = {"common_cuda", "common_nn", "common_optimizers"}
"""Modules of helpers that make layers and optimizers, so they run on minigrad themselves."""


def remade(name: str) -> Any:
    """Return a module of PyTorch's helpers that runs on minigrad."""
    own = f"remade.{name}"
    if own not in standing.sys.modules:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        active = standing.Loading.active
        try:
            standing.load(Path(spec.origin), own, minigrad_stands=True)
        finally:
            standing.Loading.active = active
    return standing.sys.modules[own]


# --- From one library's objects to the other's

OWN_DTYPES = tuple(from_numpy_dtype.values())

DTYPES = {
    theirs: getattr(minigrad, name)
    for name, theirs in vars(torch).items()
    if isinstance(theirs, torch.dtype) and getattr(minigrad, name, None) in OWN_DTYPES
}
"""minigrad's dtype for each of PyTorch's whose numbers it has."""

BACK = {mine: theirs for theirs, mine in DTYPES.items()}


def to_torch(value: Any) -> Any:
    """Return a value of minigrad as one of PyTorch, also inside of containers."""
    if isinstance(value, minigrad.Tensor):
        return tensor_to_torch(value)
    if isinstance(value, Dtype):
        return BACK[value]
    if isinstance(value, minigrad.TypedStorage):
        return value.tolist()
    if isinstance(value, minigrad.Size):
        return torch.Size(value)
    if isinstance(value, minigrad.device):
        return torch.device(str(value))
    if isinstance(value, (nn.Sequential, nn.ModuleList, nn.ParameterList)):
        return list(map(to_torch, value))  # as PyTorch's helpers compare them
    if isinstance(value, (nn.ModuleDict, nn.ParameterDict)):
        return {key: to_torch(each) for key, each in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(map(to_torch, value))
    if isinstance(value, tuple):
        return tuple(map(to_torch, value))
    if isinstance(value, dict):
        return {to_torch(key): to_torch(each) for key, each in value.items()}
    return value


def tensor_to_torch(tensor: Any) -> Any:
    """Return a copy with the same values, dtype and strides."""
    array = tensor.detach().numpy()
    copy = torch.empty_strided(tuple(tensor.shape), tensor.stride(), dtype=BACK[tensor.dtype])
    if any(
        step == 0 and size > 1 for step, size in zip(tensor.stride(), tensor.shape, strict=True)
    ):
        return torch.from_numpy(np.ascontiguousarray(array)).expand(tuple(tensor.shape))
    copy.copy_(torch.from_numpy(np.array(array)))
    return copy


def from_torch(tensor: Any) -> Any:
    """Return minigrad's tensor of the same values, strides and `requires_grad`."""
    kind = DTYPES[tensor.dtype]
    flat = tensor.detach()
    size = sum(step * (n - 1) for step, n in zip(flat.stride(), flat.shape, strict=True)) + 1
    memory = flat.as_strided((size if flat.numel() else 0,), (1,))
    made = minigrad.from_numpy(memory.numpy().copy())
    if flat.numel():
        made = made.as_strided(tuple(flat.shape), flat.stride())
    else:
        made = made.reshape(tuple(flat.shape))
    assert made.dtype == kind
    return made.detach().requires_grad_(tensor.requires_grad)


def dtype_here(value: Any) -> Any:
    """Return minigrad's dtype for PyTorch's, where it has one, also inside of tuples."""
    if isinstance(value, tuple):
        return type(value)(map(dtype_here, value)) if type(value) is tuple else value
    return DTYPES.get(value, value) if isinstance(value, torch.dtype) else value


def dtype_there(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(map(dtype_there, value))
    if isinstance(value, dict):
        return {dtype_there(key): each for key, each in value.items()}
    return BACK.get(value, value) if isinstance(value, Dtype) else value


# --- torch.testing


def make_tensor(*shape: Any, dtype: Any, device: Any = "cpu", **options: Any) -> Any:
    options = {name: to_torch(value) for name, value in options.items()}
    options.pop("memory_format", None)
    made = torch.testing.make_tensor(*shape, dtype=dtype_there(dtype), device="cpu", **options)
    return from_torch(made)


def assert_close(actual: Any, expected: Any, **options: Any) -> None:
    options.setdefault("check_device", False)
    torch.testing.assert_close(to_torch(actual), to_torch(expected), **options)


assert_allclose = assert_close

# --- common_utils

GLOBAL_HOOKS = [
    each
    for each in vars(importlib.import_module("minigrad.nn.module")).values()
    if isinstance(each, Hooks)
]


class TestCase(common_utils.TestCase):
    """PyTorch's test case, which compares minigrad's tensors."""

    def setUp(self) -> None:
        super().setUp()
        minigrad.manual_seed(common_utils.SEED)
        for hooks in GLOBAL_HOOKS:  # of a test that failed
            hooks.clear()

    def assertEqual(self, x: Any, y: Any, *args: Any, **kwargs: Any) -> None:
        super().assertEqual(to_torch(x), to_torch(y), *args, **kwargs)

    def assertNotEqual(self, x: Any, y: Any, *args: Any, **kwargs: Any) -> None:
        with self.assertRaises(AssertionError):
            self.assertEqual(x, y, *args, **kwargs)

    def compare_with_numpy(
        self, function: Any, numpy_function: Any, values: Any, device: Any = None,
        dtype: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if not isinstance(values, minigrad.Tensor):
            values = minigrad.tensor(values, dtype=dtype)
        result = numpy_function(values.detach().numpy().copy())
        given = function(values)
        result = minigrad.from_numpy(np.array(result)) if isinstance(result, np.ndarray) else result
        self.assertEqual(given, result, **{"exact_dtype": False, **kwargs})

    @contextlib.contextmanager
    def assertWarnsOnceRegex(self, *args: Any, **kwargs: Any) -> Iterator[None]:
        with self.assertWarnsRegex(*args, **kwargs):
            yield


def gradcheck(function: Any, inputs: Any, **kwargs: Any) -> Any:
    return minigrad.autograd.gradcheck(function, inputs, **kwargs)


def gradgradcheck(function: Any, inputs: Any, grad_outputs: Any = None, **kwargs: Any) -> Any:
    return minigrad.autograd.gradgradcheck(function, inputs, grad_outputs, **kwargs)


def _assertGradAndGradgradChecks(test: Any, function: Any, inputs: Any, **kwargs: Any) -> None:
    test.assertTrue(gradcheck(function, inputs, **kwargs))
    test.assertTrue(gradgradcheck(function, inputs, **kwargs))


@contextlib.contextmanager
def set_default_dtype(dtype: Any) -> Iterator[None]:
    before = minigrad.get_default_dtype()
    minigrad.set_default_dtype(dtype)
    try:
        yield
    finally:
        minigrad.set_default_dtype(before)


class DeterministicGuard(common_utils.DeterministicGuard):
    """PyTorch's guard of its settings, for those of minigrad."""

    @classmethod
    def _current_state(cls) -> Any:
        return cls(
            minigrad.are_deterministic_algorithms_enabled(),
            warn_only=minigrad.is_deterministic_algorithms_warn_only_enabled(),
            fill_uninitialized_memory=minigrad.utils.deterministic.fill_uninitialized_memory,
        )

    def _update(self) -> None:
        minigrad.use_deterministic_algorithms(self.deterministic, warn_only=self.warn_only)
        minigrad.utils.deterministic.fill_uninitialized_memory = self.fill_uninitialized_memory


common_utils.DeterministicGuard = DeterministicGuard  # type: ignore[misc]


@contextlib.contextmanager
def freeze_rng_state(*args: Any, **kwargs: Any) -> Iterator[None]:
    before = minigrad.get_rng_state()
    try:
        yield
    finally:
        minigrad.set_rng_state(before)


def set_rng_seed(seed: Any = None) -> None:
    common_utils.set_rng_seed(seed)
    minigrad.manual_seed(common_utils.SEED if seed is None else seed)


@contextlib.contextmanager
def set_warn_always_context(new: Any) -> Iterator[None]:
    yield


def bytes_to_scalar(bytes: Any, dtype: Any, device: Any) -> Any:
    return from_torch(common_utils.bytes_to_scalar(list(bytes), dtype_there(dtype), device))


def noncontiguous_like(tensor: Any) -> Any:
    return from_torch(common_utils.noncontiguous_like(to_torch(tensor)))


def mask_not_all_zeros(shape: Any) -> Any:
    return from_torch(common_methods_invocations.mask_not_all_zeros(shape))


def is_iterable_of_tensors(iterable: Any) -> bool:
    return all(isinstance(each, minigrad.Tensor) for each in iterable)


numpy_to_torch_dtype_dict = {
    kind: DTYPES[theirs]
    for kind, theirs in common_utils.numpy_to_torch_dtype_dict.items()
    if theirs in DTYPES
}
torch_to_numpy_dtype_dict = {
    DTYPES[theirs]: kind
    for theirs, kind in common_utils.torch_to_numpy_dtype_dict.items()
    if theirs in DTYPES
}

# --- Parameters of tests: dtypes are PyTorch's in names, and minigrad's when a test runs


def with_own_dtypes(test: Any) -> Any:
    """Return a test that gets minigrad's dtypes as its parameters."""

    @functools.wraps(test)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        names = {name: dtype_here(value) for name, value in kwargs.items()}
        return test(self, *map(dtype_here, args), **names)

    return call


def prepare(kind: Any) -> None:
    """Let all tests of a class get minigrad's dtypes."""
    for name, value in list(vars(kind).items()):
        if name.startswith("test") and inspect.isfunction(value):
            setattr(kind, name, with_own_dtypes(value))


def instantiate_parametrized_tests(kind: Any) -> Any:
    prepare(kind)
    return common_utils.instantiate_parametrized_tests(kind)


def instantiate_device_type_tests(kind: Any, scope: Any, **options: Any) -> None:
    prepare(kind)
    common_device_type.instantiate_device_type_tests(kind, scope, only_for=("cpu",))


def parametrize(arg_str: Any, arg_values: Any, **options: Any) -> Any:
    return common_utils.parametrize(arg_str, list(map(dtype_there, arg_values)), **options)


def of_dtypes(decorator: Callable[..., Any]) -> Callable[..., Any]:
    def decorate(*args: Any, **options: Any) -> Any:
        return decorator(*map(dtype_there, args), **options)

    return decorate


dtypes = of_dtypes(common_device_type.dtypes)
dtypesIfCPU = of_dtypes(common_device_type.dtypesIfCPU)
dtypesIfCUDA = of_dtypes(common_device_type.dtypesIfCUDA)
dtypesIfMPS = of_dtypes(common_device_type.dtypesIfMPS)
precisionOverride = of_dtypes(common_device_type.precisionOverride)
toleranceOverride = of_dtypes(common_device_type.toleranceOverride)


def of_own_dtypes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that lists dtypes: a running test gets those that minigrad has."""

    def call(*args: Any, **options: Any) -> Any:
        found = function(*map(dtype_there, args), **options)
        listed = [dtype_here(each) for each in found]
        if not standing.Loading.active:
            listed = [each for each in listed if isinstance(each, Dtype)]
        return listed if type(found) is list else tuple(listed)

    return call


for _name, _value in list(vars(common_dtype).items()):
    if inspect.isfunction(_value) and ("types" in _name) and not _name.startswith("_"):
        globals()[_name] = of_own_dtypes(_value)


def get_all_device_types() -> list[str]:
    return ["cpu"]


# --- What stands in for both libraries

for _names in STAND_INS.values():
    globals().update(_names)
modules = STAND_INS["common_device_type"]["ops"]


class Processes:
    """Another process would import PyTorch itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise AssertionError("another process would test PyTorch itself")


def forbid_processes() -> None:
    subprocess.Popen = Processes  # type: ignore[misc, assignment]


class _Testing:
    make_tensor = staticmethod(make_tensor)
    assert_close = staticmethod(assert_close)
    assert_allclose = staticmethod(assert_close)
    _internal = torch.testing._internal


standing.EXTRA["torch.testing"] = _Testing
standing.EXTRA["torch._C"] = private_names.NAMES
# PyTorch's helpers read these names, and no test does: there are no GPUs and no compiler.
standing.EXTRA["torch.utils._foreach_utils"] = SimpleNamespace(
    _get_foreach_kernels_supported_devices=lambda: ["cuda"]
)
standing.EXTRA["torch.autograd.forward_ad._current_level"] = -1  # tests leave open levels
standing.EXTRA.update(private_names.EXTRA)
standing.EXTRA["torch.compiler"] = SimpleNamespace(
    is_compiling=lambda: False, is_dynamo_compiling=lambda: False
)
for _theirs in vars(torch).copy().items():
    if isinstance(_theirs[1], torch.dtype) and _theirs[1] not in DTYPES:
        standing.EXTRA[f"torch.{_theirs[0]}"] = _theirs[1]
