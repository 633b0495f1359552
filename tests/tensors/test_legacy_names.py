"""Names from PyTorch's first years that tutorials still use: FloatTensor, Variable."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.parity import caught, same

KINDS = (
    *("BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor"),
    *("HalfTensor", "IntTensor", "LongTensor", "ShortTensor"),
)


@pytest.mark.parametrize("name", KINDS)
def test_a_tensor_type(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        kind = getattr(T, name)
        made = kind([1, 0, 2])
        print(kind, made, kind.__name__, made.type())
        return (
            made,
            kind.dtype,
            kind(2, 3).shape,
            kind(T.Size([2])).shape,
            kind(),
            kind((2, 3)),
            kind([]),
            kind(np.ones(2)),
            kind(made).data_ptr() == made.data_ptr(),
            [isinstance(made, getattr(T, other)) for other in KINDS],
            isinstance([1], kind),
            T.ones(2).type(kind),
            T.ones(2).type(f"torch.{name}"),
            made.type(kind) is made,
        )

    same(torch, program)


@pytest.mark.parametrize("name", ["Tensor", "FloatTensor", "LongTensor", "new"])
def test_device_of_old_constructors(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        make = T.ones(2).new if name == "new" else getattr(T, name)
        found = []
        for device in ("cpu", T.device("cpu"), None, "cuda", 5):
            for data in ((), ([1.0, 2.0],), (2, 3), (T.ones(1),)):
                if device is not None or data != (T.ones(1),):
                    try:
                        found.append(str(make(*data, device=device).shape))
                    except RuntimeError as error:
                        found.append(str(error))
        return found

    same(torch, program)


def test_conversions_by_name(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([1.5, 2.0])
        print(T.Tensor([1]).type(), x.double().type(T.Tensor), x.int().type("torch.Tensor"))
        return (
            T.LongTensor([1.5, -2.5]),
            T.FloatTensor([T.tensor(1.0), 2]),
            T.LongTensor(range(3)),
            x.type(T.LongTensor),
            (x.requires_grad_() * 2).type(T.DoubleTensor),
        )

    same(torch, program)


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "text": (lambda T: T.FloatTensor("a"), "new(): invalid data type 'str'"),
    "a float": (lambda T: T.FloatTensor(2.5), "new(): data must be a sequence (got float)"),
    "None": (lambda T: T.LongTensor(None), "new(): data must be a sequence (got NoneType)"),
    "negative": (lambda T: T.LongTensor(-1), "negative dimension -1: [-1]"),
    "another type": (lambda T: T.LongTensor(T.ones(2)), ""),
    "too large": (lambda T: T.ByteTensor([300]), "without overflow"),
    "no type": (lambda T: T.ones(1).type("torch.FooTensor"), "invalid type: 'torch.FooTensor'"),
    "a class": (lambda T: T.ones(1).type(int), "invalid type: 'int'"),
    "no GPU": (lambda T: T.ones(1).type("torch.cuda.FloatTensor"), ""),
    "integers": (lambda T: T.set_default_tensor_type(T.LongTensor), "only floating-point types"),
    "the class": (lambda T: T.set_default_tensor_type(T.Tensor), "invalid type object: only float"),
    "its name": (lambda T: T.set_default_tensor_type("torch.Tensor"), "invalid type object: only"),
    "a dtype": (lambda T: T.set_default_tensor_type(T.float64), "invalid type object: only"),
    "a list": (lambda T: T.autograd.Variable([1.0]), "Variable data has to be a tensor, but got"),
    "integers that require grad": (
        lambda T: T.autograd.Variable(T.tensor([1]), requires_grad=True),
        "Only Tensors of floating point and complex dtype can require gradients",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(torch: Any, name: str) -> None:
    call, phrase = REFUSED[name]
    same(torch, lambda T: caught(lambda: call(T), phrase))


def test_variable(torch: Any) -> None:
    def program(T: Any) -> Any:
        Variable, x = T.autograd.Variable, T.ones(2)
        v = Variable(x, requires_grad=True)
        result = (v * T.autograd.Variable(T.tensor([2.0, 3.0]))).sum()
        result.backward()
        cut = Variable(result)
        shared = Variable(x)
        shared.add_(1)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            Variable(x, volatile=True)
        return (
            [v, v.grad, cut, shared, x, Variable()],
            [isinstance(x, Variable), isinstance(3, Variable), shared is x, type(v) is T.Tensor],
            x._version,
            [str(warning.message) for warning in said],
        )

    same(torch, program)


def test_the_default_tensor_type(torch: Any) -> None:
    def program(T: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            T.set_default_tensor_type(T.DoubleTensor)
            wide = T.ones(1)
            T.set_default_tensor_type("torch.FloatTensor")
        return wide, T.ones(1)

    same(torch, program)


def test_default_cuda_type_without_gpu_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minigrad.tensors.old_types.cuda_is_available", lambda: False)
    with pytest.raises(TypeError, match=r"^type torch.cuda.FloatTensor not available\. No CUDA"):
        minigrad.set_default_tensor_type("torch.cuda.FloatTensor")
    assert minigrad.ones(1).device.type == "cpu"


def test_default_tensor_type_is_deprecated() -> None:
    with pytest.warns(UserWarning, match="is deprecated as of PyTorch 2.1") as said:
        minigrad.set_default_tensor_type(minigrad.FloatTensor)
    assert said[0].filename == __file__


def test_constants_and_questions(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([1.0, T.inf, -T.inf, T.nan])
        return (
            [T.pi, T.e, T.inf, T.nan, T.newaxis],
            x[:, T.newaxis],
            [T.is_tensor(x), T.is_tensor([1.0]), T.numel(x), T.is_floating_point(x > 0)],
        )

    same(torch, program)
