"""Storages, tensors around given memory, and tensors that change their memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad as mg
from tests.parity import same

Programs = list[Callable[[Any], Any]]


def attempts(*calls: Callable[[], Any]) -> list[Any]:
    """Return the result of each call, or its error."""
    found = []
    for call in calls:
        try:
            found.append(call())
        except Exception as error:
            found.append(f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
    return found


def elements_and_bytes(T: Any) -> Any:
    x = T.arange(4.0)
    typed, raw = x.storage(), x[1:].untyped_storage()
    print(typed, raw[:2], T.tensor([], dtype=T.int16).storage())
    typed[1] = 9
    raw[0] = 1
    typed[2:4] = 5
    sizes = typed.size(), len(raw), typed.nbytes(), raw.nbytes(), typed.element_size()
    kinds = str(typed.dtype), typed.type(), str(raw.device), typed.untyped().tolist() == list(raw)
    return x, x._version, sizes, kinds, typed.double().tolist(), typed.tolist()


def made_from_values(T: Any) -> Any:
    typed = T.TypedStorage([1, 2], dtype=T.int16)
    print(typed, T.FloatStorage([1, 2]), T.UntypedStorage([1, 255]), T.LongStorage(2).size())
    again = T.ByteStorage(4).copy_(typed), typed.clone().fill_(7), typed.int()
    print(*again)
    return attempts(
        lambda: T.tensor(typed),
        lambda: T.tensor(typed.untyped(), dtype=T.int16),
        lambda: T.Tensor(T.FloatStorage([3, 4])),
        lambda: T.tensor(typed, dtype=T.float32),
        lambda: typed[2],
        lambda: T.ByteStorage(2).copy_(typed),
        lambda: typed[0:1],
        lambda: T.ones(2).storage_type() is T.FloatStorage,
    )


def copied_deeply(T: Any) -> Any:
    """A copy shares memory where the original does."""
    from copy import deepcopy

    x = T.arange(3.0)
    y, storage = deepcopy([x, x.storage()])
    y.add_(1)
    return storage.tolist(), x


def set_to_another_memory(T: Any) -> Any:
    x, y = T.zeros(2), T.arange(6.0)
    x.set_(y)
    x[0] = 9
    shared = x.data_ptr() == y.data_ptr()
    leaf = T.ones(2, requires_grad=True)
    loss = leaf.clone().sum()
    with T.no_grad():
        leaf.set_(T.zeros(2))
    return (
        y,
        shared,
        attempts(
            lambda: x.set_(y.storage()),
            lambda: x.set_(y.untyped_storage(), 1, (2,)),
            lambda: x.set_(y, 1, (2, 2), (1, 2)),
            lambda: x.set_(),
            lambda: x.set_(T.arange(2)),
            lambda: x.set_(T.arange(2).storage()),
            lambda: leaf.set_(T.zeros(3)),
            lambda: T.autograd.grad(loss, leaf),
        ),
    )


def resized(T: Any) -> Any:
    x = T.arange(6)
    part = x[2:]
    found = [
        x.resize_(2, 2).clone(),
        x.resize_([4]).clone(),
        part.resize_(2).clone(),
        part.resize_(8)[:4],
    ]
    leaf = T.ones(2, requires_grad=True)
    return (
        found,
        x._version,
        x.resize_as_(T.ones(1, 2)),
        attempts(
            lambda: leaf.resize_(3),
            lambda: leaf.clone().resize_(3),
            lambda: leaf.detach().resize_(1),
            lambda: x.resize_(2.0),
            lambda: x.resize_(),
        ),
    )


def from_buffers(T: Any) -> Any:
    data = bytearray(b"abcd")
    T.frombuffer(data, dtype=T.int8)[0] = 98
    return list(data), attempts(
        lambda: T.frombuffer(data, dtype=T.int16, offset=2),
        lambda: T.frombuffer(data, dtype=T.float16, count=1, requires_grad=True),
        lambda: T.frombuffer(data, dtype=T.int32, offset=2),
        lambda: T.frombuffer(data, dtype=T.int8, count=9),
        lambda: T.frombuffer(data, dtype=T.int8, count=0),
        lambda: T.frombuffer(data, dtype=T.int8, offset=4),
        lambda: T.frombuffer(bytearray(), dtype=T.int8),
        lambda: T.frombuffer(3, dtype=T.int8),
        lambda: T.frombuffer(data),
    )


def as_arrays(T: Any) -> Any:
    x = T.arange(3.0)
    grown = T.ones(2, requires_grad=True).clone()
    return attempts(
        lambda: T.asarray(x) is x,
        lambda: T.asarray(x, copy=False) is x,
        lambda: T.asarray(x, copy=True) is x,
        lambda: T.asarray(x.numpy()).data_ptr() == x.data_ptr(),
        lambda: T.asarray([1, 2]),
        lambda: T.asarray([1.0], requires_grad=True),
        lambda: T.asarray(b"abcd", dtype=T.int16),
        lambda: T.asarray(grown),
        lambda: T.asarray(grown, requires_grad=False),
        lambda: T.asarray([1.0], copy=False),
        lambda: T.asarray(x, dtype=T.int32, copy=False),
        lambda: T.asarray("a"),
    )


def strided(T: Any) -> Any:
    made = T.empty_strided((2, 3), (1, 2)), T.ones(2, dtype=T.int8).new_empty(2, 3)
    more = T.ones(2).new_empty_strided((2, 2), (1, 4), dtype=T.int16), T.scalar_tensor(3)
    print([(each.shape, each.stride(), str(each.dtype)) for each in (*made, *more)])
    x = T.tensor([1, 2])
    return (
        x.new(2, 3).shape,
        x.new([1.0, 2.0]),
        x.new(x),
        attempts(lambda: T.empty_strided((2,), (1, 2)), lambda: T.empty_strided((2,), (-1,))),
    )


def random_integers(T: Any) -> Any:
    T.manual_seed(3)
    kinds = T.float32, T.float64, T.float16, T.int64, T.int32, T.int8, T.uint8, T.bool
    whole = [T.empty(3, dtype=kind).random_() for kind in kinds]
    x = T.zeros(4)
    leaf = T.ones(3, requires_grad=True).clone()
    bounded = [x.random_(3).clone(), x.random_(-5, 5).clone(), x.random_(2**40).clone()]
    return (
        whole,
        bounded,
        leaf.random_(2),
        attempts(lambda: x.random_(5, 3), lambda: T.empty(2, dtype=T.int8).random_(300)),
    )


PROGRAMS: Programs = [
    elements_and_bytes,
    made_from_values,
    copied_deeply,
    set_to_another_memory,
    resized,
    from_buffers,
    as_arrays,
    strided,
    random_integers,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.filterwarnings("ignore")
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


@pytest.mark.filterwarnings("ignore")
def test_empty_tensors_have_no_address(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.zeros(3)
        sizes = [T.zeros(n, dtype=T.uint8).untyped_storage().__sizeof__() for n in (0, 10, 100)]
        grows = [size - sizes[0] for size in sizes]
        return T.zeros(0).data_ptr(), x[3:].data_ptr(), x.data_ptr() == 0, grows

    same(torch, program)


@pytest.mark.filterwarnings("ignore")
def test_write_outside_of_a_storage_raises() -> None:
    """PyTorch makes the storage larger."""
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 8"):
        mg.zeros(2).set_(mg.zeros(2).storage(), 1, (2,))
