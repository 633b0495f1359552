"""Storages, tensors around given memory, and tensors that change their memory."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryDirectory
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


def draws_with_heavy_tails(T: Any) -> Any:
    T.manual_seed(0)
    x = T.ones(2, 3, requires_grad=True)
    y = (x * 1).t().exponential_(2.0)
    z = (x * 1).cauchy_(sigma=0.5).log_normal_(std=0.25).geometric_(p=0.5)
    integers = T.empty(20, dtype=T.int64).geometric_(0.125), T.empty(3).exponential_(lambd=3)
    (y.sum() + z.sum()).backward()
    refused = attempts(
        lambda: x.exponential_(),
        lambda: T.ones(1, 3).expand(2, 3).cauchy_(),
        lambda: T.ones(2).geometric_(),
        lambda: T.ones(2).log_normal_(0, 1, 2),
        lambda: T.ones(2).exponential_("a"),
    )
    return y, z, integers, x.grad, y._version, z._version, refused


def loops_in_python(T: Any) -> Any:
    x, y, seen = T.arange(6.0).reshape(2, 3), T.tensor([1.0, 2.0, 3.0]), []
    T.arange(4).reshape(2, 2).t().apply_(lambda a: seen.append(a) or a)
    results = (
        x.clone().apply_(lambda a: a * a),
        x.clone().t().apply_(lambda a: a + 1),
        x.clone().map_(y, lambda a, b: a - b),
        x.clone().map2_(y, T.tensor(2.0), lambda a, b, c: a + b * c),
        T.arange(3).apply_(lambda a: a + 0.5),
        T.tensor([True, False]).apply_(lambda a: not a),
    )
    leaf = T.ones(3, requires_grad=True)
    refused = attempts(
        lambda: leaf.apply_(abs),
        lambda: y.map_(leaf, max),
        lambda: y.map2_(y, leaf, max),
        lambda: y.apply_(lambda a: "text"),
        lambda: y.map_(T.ones(4), max),
        lambda: y.map_(T.arange(3), max),
        lambda: y.map2_(y, T.arange(3), max),
        lambda: y.map_(3, max),
        lambda: T.ones(2, dtype=T.uint8).apply_(lambda a: 300),
        lambda: T.ones(2, dtype=T.int64).apply_(lambda a: 10**30),
    )
    return results, seen, y._version, refused


def files_as_memory(T: Any) -> Any:
    with TemporaryDirectory() as folder:
        path = f"{folder}/numbers"
        shared = T.from_file(path, True, 4)
        shared.copy_(T.arange(4.0))
        same, own = T.from_file(path, True, 2), T.from_file(path, size=3)
        same[0] = 9
        own[1] = 7
        again = T.from_file(path, shared=False, size=4)
        names = [each.untyped_storage().filename for each in (shared[1:], own, T.ones(1))]
        raw = T.UntypedStorage.from_file(path, True, 8)
        typed = T.FloatStorage.from_file(path, False, 2)
        found = shared.clone(), own.clone(), again.clone(), raw.filename == path, typed.tolist()
        refused = attempts(
            lambda: T.from_file(path, size=100),
            lambda: T.from_file(path, size=-1),
            lambda: T.from_file(f"{folder}/none", size=1),
            lambda: T.from_file(f"{folder}/none/none", True, 1),
            lambda: T.from_file(3),
            lambda: T.TypedStorage.from_file(path, True, 2),
        )
        empty = T.from_file(path), T.from_file(path, size=2, dtype=T.float64).dtype
        del shared, same, own, again, raw, typed
        said = [str(each).replace(path, "path").replace(folder, "folder") for each in refused]
        return found, [name == path for name in names], empty, said


def capsules(T: Any) -> Any:
    x = T.arange(3.0)
    dlpack = T.utils.dlpack
    capsule = dlpack.to_dlpack(x)
    y, z = dlpack.from_dlpack(capsule), T.asarray(dlpack.to_dlpack(x))
    y[0] = 5
    copied = T.asarray(dlpack.to_dlpack(x), copy=True)
    copied[1] = 5
    used = attempts(lambda: dlpack.from_dlpack(capsule))[0].partition(".")[0]
    return x, y, z, copied, used


def tensors_from_old_classes_share_a_storage(T: Any) -> Any:
    x = T.arange(3.0)
    y = T.FloatTensor(x.storage())
    y[0] = 4
    return x, y.data_ptr() == x.data_ptr()


def usual_options(T: Any) -> Any:
    made = (
        T.zeros(2, layout=T.strided),
        T.randint(3, (2,), layout=T.strided, pin_memory=False).dtype,
        T.ones_like(T.ones(2), layout=T.strided),
        T.arange(3, layout=T.strided, dtype=T.float64),
    )
    return made, attempts(lambda: T.zeros(2, layout=3), lambda: T.zeros(2, pin_memory="yes"))


def normal_draws_from_tensors_as_numbers(T: Any) -> Any:
    T.manual_seed(1)
    drawn = T.normal(T.tensor(2.0), 1.0, (3,)), T.normal(0, T.tensor(0.5), (2, 2))
    return drawn, attempts(lambda: T.normal(T.tensor(0.0), -1, (3,)))


def powers_of_vectors(T: Any) -> Any:
    x = T.tensor([1, 2, 3])
    powers = T.vander(T.tensor([1.0, 2.0, 3.0], requires_grad=True))
    found = powers, T.vander(x), T.vander(x, 2), T.vander(x, 0), T.vander(x, 1, increasing=True)
    kinds = T.vander(T.tensor([True, False])), T.vander(T.ones(2, dtype=T.float16), N=3)
    refused = attempts(
        lambda: T.vander(x, -1),
        lambda: powers.sum().backward(),
        lambda: T.vander(T.ones(2, 2)),
        lambda: T.vander(x, 1.5),
    )
    return found, kinds, refused


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


def storages_keep_attributes(T: Any) -> Any:
    """A tensor's storage is one object, also for its views."""
    x = T.arange(3.0)
    raw = x.untyped_storage()
    raw.note = "kept"
    same = x[1:].untyped_storage() is raw, T.arange(3.0).untyped_storage() is raw
    del raw
    kept = x.untyped_storage().note
    x.set_(T.zeros(2))
    return same, kept, hasattr(x.untyped_storage(), "note"), x.untyped_storage().size()


def storages_from_buffers(T: Any) -> Any:
    data = bytearray([1, 2, 3, 4])
    swapped = T.UntypedStorage.from_buffer(data, "big", dtype=T.int16)
    swapped.byteswap(T.int32)
    made = [
        T.ByteStorage.from_buffer(data),
        T.ShortStorage.from_buffer(data, "big"),
        T.IntStorage.from_buffer(data, "little"),
        T.ShortStorage.from_buffer(data, "native", 1, 2),
        T.BoolStorage.from_buffer(b"\0\2", "big"),
        T.TypedStorage.from_buffer(data, "big", dtype=T.int16),
        swapped,
    ]
    return [each.tolist() for each in made], attempts(
        lambda: T.FloatStorage.from_buffer(data),
        lambda: T.FloatStorage.from_buffer(data, "big", dtype=T.float32),
        lambda: T.FloatStorage.from_buffer(data + data[:1], "big"),
        lambda: T.FloatStorage.from_buffer(data, "big", 2),
        lambda: T.FloatStorage.from_buffer(data, "big", 1, 9),
        lambda: T.FloatStorage.from_buffer(data, "middle"),
        lambda: T.UntypedStorage.from_buffer(data),
        lambda: T.FloatStorage.from_buffer([1.0], "big"),
    )


def orders_of_dimensions(T: Any) -> Any:
    x, both = T.empty(2, 3, 4, 5), [T.contiguous_format, T.channels_last]
    swapped = x.to(memory_format=T.channels_last)
    found = [each.dim_order() for each in (x, swapped, x.transpose(0, 1), T.empty(()))]
    made = T.empty_permuted((2, 3, 5), (1, 0, 2)), T.empty_permuted((2,), (0,), dtype=T.int8)
    flat = T.empty(2, 1, 2)
    return (
        found,
        [(each.shape, each.stride(), str(each.dtype)) for each in made],
        swapped.dim_order(ambiguity_check=both),
        flat.dim_order(ambiguity_check=[T.contiguous_format]),
        attempts(
            lambda: flat.dim_order(ambiguity_check=True),
            lambda: T.empty(2, 1, 2, 2).dim_order(ambiguity_check=both),
            lambda: T.empty(2, 3).expand(4, 2, 3).dim_order(ambiguity_check=True),
            lambda: x.dim_order(ambiguity_check="a"),
            lambda: x.dim_order(ambiguity_check=["a"]),
            lambda: T.empty_permuted((2, 3), (1, 1)),
            lambda: T.empty_permuted((2, 3), (1,)),
            lambda: T.empty_permuted((2, 3), (-1, 0)),
        ),
    )


def old_ways_to_make_tensors(T: Any) -> Any:
    x = T.zeros(1)
    return x.new(size=(2, 3)).shape, T.FloatTensor(size=(2, 3)).shape, T.Size(T.ones(2).long())


PROGRAMS: Programs = [
    old_ways_to_make_tensors,
    orders_of_dimensions,
    storages_from_buffers,
    storages_keep_attributes,
    elements_and_bytes,
    made_from_values,
    copied_deeply,
    set_to_another_memory,
    resized,
    from_buffers,
    as_arrays,
    strided,
    capsules,
    draws_with_heavy_tails,
    files_as_memory,
    loops_in_python,
    normal_draws_from_tensors_as_numbers,
    powers_of_vectors,
    tensors_from_old_classes_share_a_storage,
    usual_options,
    random_integers,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.filterwarnings("ignore")
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_refused_classes_and_sizes(torch: Any) -> None:
    def program(T: Any) -> Any:
        return attempts(lambda: T.Size(T.ones(2)), lambda: T.Size([2.0]), lambda: T.Size(2))

    same(torch, program)
    with pytest.raises(TypeError, match="FloatTensor' is not an acceptable base type"):

        class Mine(mg.FloatTensor):  # type: ignore[misc, name-defined]
            pass

    with pytest.raises(TypeError, match=r"got \(tuple, int\), but expected one of"):
        mg.LongTensor((6, 0), 1)
    with pytest.raises(TypeError, match="expected a tensor of Float"):
        mg.zeros(1).new(mg.zeros(1, dtype=mg.int32))


def test_subclasses_may_have_slots(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Slotted(T.Tensor):  # type: ignore[misc, name-defined]
            __slots__ = ("note",)

        x = T.arange(3.0).as_subclass(Slotted)
        x.note = 3
        x[0] = 5
        return type(x) is Slotted, x.note, x.sum().item()

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
