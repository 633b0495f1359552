"""Tensors from nothing: every way to make one, against PyTorch, and what is refused.

One line a call. Both libraries must give the same values, type, shape and flags, or an error of the
same type that says the given phrase.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import minigrad
from tests.numbers import compare
from tests.parity import caught, same, same_bits
from tests.record import answer, examples

Call = Callable[[Any], Any]

VALUES: dict[str, Call] = {
    # Which type a list gets
    "a float": lambda T: T.tensor(1.5),
    "bool and int": lambda T: T.tensor([True, 2]),
    "bool and float": lambda T: T.tensor([True, 2.5]),
    "int and float": lambda T: T.tensor([[1, 2], [3, 4.5]]),
    "empty": lambda T: T.tensor([]),
    "empty rows": lambda T: T.tensor([[], []]),
    "empty integers": lambda T: T.tensor([], dtype=T.int64),
    "a range": lambda T: T.tensor(range(3)),
    "np.float64": lambda T: T.tensor(np.float64(1.5)),
    "np.float32 in a list": lambda T: T.tensor([np.float32(1.5), 2.0]),
    "np.float64 in a list": lambda T: T.tensor([1.0, np.float64(2)]),
    "np.int32 in a list": lambda T: T.tensor([np.int32(1)]),
    "np.int32 and a float": lambda T: T.tensor([np.int32(1), 2.5]),
    "arrays in a list": lambda T: T.tensor([np.ones(2, "i1"), np.ones(2, "i2")]),
    "tensors in a list": lambda T: T.tensor([T.tensor(1), T.tensor(2.5)]),
    "a float64 tensor in a list": lambda T: T.tensor([T.tensor(1.0, dtype=T.float64)]),
    # With a dtype
    "int to float64": lambda T: T.tensor([2**70], dtype=T.float64),
    "float64 keeps its digits": lambda T: T.tensor([0.1], dtype=T.float64),
    "float to int": lambda T: T.tensor([1.5, -2.5], dtype=T.int32),
    "negative to uint8": lambda T: T.tensor([-1], dtype=T.uint8),
    "float to bool": lambda T: T.tensor([0.5, 0.0], dtype=T.bool),
    "too large for float16": lambda T: T.tensor([1e60], dtype=T.float16),
    "an array wraps around": lambda T: T.tensor(np.array([300]), dtype=T.uint8),
    "the builtin float": lambda T: T.tensor([1], dtype=float),
    # Without a copy
    "as_tensor of a list": lambda T: T.as_tensor([1, 2]),
    "as_tensor of an array": lambda T: T.as_tensor(np.ones(2), dtype=T.float32),
    "as_tensor of a result": lambda T: T.as_tensor(T.ones(2, requires_grad=True) * 2),
    # Filled
    "zeros": lambda T: T.zeros(2, 3),
    "zeros of a list": lambda T: T.zeros([2], dtype=int),
    "zeros, size named": lambda T: T.zeros(size=(2,), requires_grad=True),
    "zeros, tensor sizes": lambda T: T.zeros(T.tensor(2), np.int64(1)),
    "0-d zeros": lambda T: T.zeros(()),
    "ones": lambda T: T.ones(2, dtype=T.bool),
    "full of ints": lambda T: T.full((2,), 1),
    "full of bools": lambda T: T.full((2,), True),
    "full of a tensor": lambda T: T.full((2,), T.tensor(3.0)),
    "full, truncated": lambda T: T.full((2,), 1.5, dtype=T.int64),
    "eye": lambda T: T.eye(2, 3, dtype=T.int64),
    "memory as it is": lambda T: T.empty(2, 0),
    # Counted
    "arange": lambda T: T.arange(5),
    "arange down": lambda T: T.arange(5, 0, -2),
    "arange of a float": lambda T: T.arange(2.5),
    "arange, bounds named": lambda T: T.arange(start=1, end=3),
    "arange of int64 from floats": lambda T: T.arange(-4.6, 4.6, 1, dtype=T.int64),
    "arange of int32 from floats": lambda T: T.arange(0, 3.5, 1.5, dtype=T.int32),
    "arange crosses zero": lambda T: T.arange(-2, 0.6, 0.1),
    "linspace of one": lambda T: T.linspace(3, 4, 1),
    "linspace of integers": lambda T: T.linspace(0, 10, 4, dtype=T.int64),
    "linspace of tensors": lambda T: T.linspace(T.tensor(0.0), T.tensor(1.0), 3),
    # Like another
    "zeros_like": lambda T: T.zeros_like(T.ones(2, dtype=T.int64)),
    "zeros_like keeps the order": lambda T: list(T.zeros_like(T.ones(2, 3).t()).stride()),
    "zeros_like of expanded": lambda T: list(T.zeros_like(T.ones(1, 3).expand(2, 3)).stride()),
    "full_like": lambda T: T.full_like(T.ones(2, dtype=T.int64), 2.7),
    "ones_like in float64": lambda T: T.ones_like(T.ones(2), dtype=T.float64, requires_grad=True),
    "new_tensor": lambda T: T.ones(2, dtype=T.int64).new_tensor([1.5]),
    "new_tensor of an array": lambda T: T.ones(2).new_tensor(np.ones(2)),
    "new_zeros": lambda T: T.ones(2, dtype=T.int8).new_zeros(2, 3),
    "new_ones": lambda T: T.ones(2).new_ones((2,), requires_grad=True),
    "new_full": lambda T: T.ones(2, dtype=T.int64).new_full((2,), 2.5),
    # Drawn
    "rand": lambda T: T.rand(2, 3),
    "randn": lambda T: T.randn(20, dtype=T.float64),
    "randint": lambda T: T.randint(2, 5, (3,)),
    "randint, named": lambda T: T.randint(low=1, high=3, size=(2,), dtype=T.float32),
    "randperm": lambda T: T.randperm(5, dtype=T.int32),
    "a generator": lambda T: T.rand(2, generator=T.Generator().manual_seed(3)),
    "rand_like": lambda T: T.rand_like(T.ones(2, dtype=T.float64)),
    "randn_like": lambda T: T.randn_like(T.ones(3)),
    "randint_like": lambda T: T.randint_like(T.ones(3), 2, 5),
    "normal": lambda T: T.normal(1.0, 2.0, (3,)),
    "normal of means": lambda T: T.normal(T.tensor([1.0, 10.0], requires_grad=True), 2.0),
    "normal of both": lambda T: T.normal(T.zeros(2, 1), T.ones(3, requires_grad=True)),
    "bernoulli": lambda T: T.bernoulli(T.full((4,), 0.5, requires_grad=True)),
    "multinomial": lambda T: T.multinomial(T.tensor([1.0, 2.0, 3.0]), 5, True),
    "poisson": lambda T: (T.poisson(T.tensor([0.0, 0.3, 7.0, 10.0, 400.0, 1e6])), T.rand(1)),
    "tril_indices": lambda T: (T.tril_indices(3, 4, 1), T.tril_indices(2, 1, -1)),
    "triu_indices": lambda T: T.triu_indices(3, 4, offset=-1, dtype=T.int32),
    "uniform_": lambda T: (T.zeros(3, requires_grad=True) * 1).uniform_(1, 2),
    "normal_": lambda T: T.zeros(3).normal_(mean=1, std=2),
    "bernoulli_": lambda T: (T.zeros(2, 3, requires_grad=True) * 1).bernoulli_(T.full((3,), 0.5)),
}


@pytest.mark.filterwarnings("ignore:Creating a tensor from a list of numpy")
@pytest.mark.parametrize("name", VALUES)
def test_values(torch: Any, name: str) -> None:
    same(torch, VALUES[name])


REFUSED: dict[str, tuple[Call, str]] = {
    "ragged": (lambda T: T.tensor([[1, 2], [3]]), "expected sequence of length 2 at dim 1 (got 1)"),
    "ragged, deeper": (
        lambda T: T.tensor([[[1], [2]], [[3]]]),
        "expected sequence of length 2 at dim 1 (got 1)",
    ),
    "a list among numbers": (lambda T: T.tensor([1, [2]]), "cannot be interpreted as an integer"),
    "a number among lists": (lambda T: T.tensor([[1], 2]), "not a sequence"),
    "a tensor of two": (
        lambda T: T.tensor([T.ones(2)]),
        "only one element tensors can be converted to Python scalars",
    ),
    "a text": (lambda T: T.tensor("a"), "new(): invalid data type 'str'"),
    "a text in a list": (lambda T: T.tensor(["a"]), "too many dimensions 'str'"),
    "None": (lambda T: T.tensor([None]), "Could not infer dtype of NoneType"),
    "a dict": (lambda T: T.tensor({}), "Could not infer dtype of dict"),
    "2 ** 63": (lambda T: T.tensor([2**63]), "Overflow when unpacking long long"),
    "300 in uint8": (
        lambda T: T.tensor([300], dtype=T.uint8),
        "value cannot be converted to type uint8 without overflow",
    ),
    "nan in int64": (
        lambda T: T.tensor([float("nan")], dtype=T.int64),
        "value cannot be converted to type int64 without overflow",
    ),
    "300 filled in": (
        lambda T: T.full((1,), 300, dtype=T.uint8),
        "value cannot be converted to type uint8_t without overflow",
    ),
    "integers with gradients": (
        lambda T: T.tensor([1], requires_grad=True),
        "Only Tensors of floating point and complex dtype can require gradients",
    ),
    "a text as dtype": (
        lambda T: T.tensor([1], dtype="float32"),
        "argument 'dtype' must be torch.dtype, not str",
    ),
    "no such device": (lambda T: T.zeros(2, device="foo"), "device type at start of device string"),
    "an array of texts": (
        lambda T: T.tensor(np.array(["a"])),
        "can't convert np.ndarray of type numpy.str_",
    ),
    "negative strides": (
        lambda T: T.from_numpy(np.arange(3)[::-1]),
        "At least one stride in the given numpy array is negative",
    ),
    "other byte order": (
        lambda T: T.from_numpy(np.arange(3, dtype=">f4")),
        "byte order different from the native byte order",
    ),
    "from_numpy of a list": (lambda T: T.from_numpy([1]), "expected np.ndarray (got list)"),
    "no size": (lambda T: T.zeros(), 'missing 1 required positional arguments: "size"'),
    "a float as size": (
        lambda T: T.ones(2.5),
        "ones(): argument 'size' (position 1) must be tuple of ints, not float",
    ),
    "a text in the size": (
        lambda T: T.zeros(2, "a"),
        'failed to unpack the object at pos 2 with error "type must be tuple of ints,but got str"',
    ),
    "a negative size": (
        lambda T: T.ones(-1),
        "Trying to create tensor with negative dimension -1: [-1]",
    ),
    "a negative size of zeros": (
        lambda T: T.zeros(2, -1),
        "zeros: Dimension size must be non-negative.",
    ),
    "an unknown option": (
        lambda T: T.zeros(2, foo=1),
        "zeros() got an unexpected keyword argument 'foo'",
    ),
    "full of a text": (
        lambda T: T.full((2,), "a"),
        "full(): argument 'fill_value' (position 2) must be Number, not str",
    ),
    "full of a number as size": (
        lambda T: T.full(2, 1),
        "full(): argument 'size' (position 1) must be tuple of ints, not int",
    ),
    "eye": (lambda T: T.eye(-1), "n must be greater or equal to 0, got -1"),
    "arange by 0": (lambda T: T.arange(0, 1, 0), "step must be nonzero"),
    "arange the wrong way": (
        lambda T: T.arange(5, 2),
        "upper bound and lower bound inconsistent with step sign",
    ),
    "endless arange": (lambda T: T.arange(0, float("inf")), "unsupported range: 0 -> inf"),
    "linspace of -1": (lambda T: T.linspace(0, 1, -1), "number of steps must be non-negative"),
    "zeros_like of a list": (
        lambda T: T.zeros_like([1]),
        "zeros_like(): argument 'input' (position 1) must be Tensor, not list",
    ),
    "randint of nothing": (
        lambda T: T.randint(3, 3, (2,)),
        "random_ expects 'from' to be less than 'to', but got from=3 >= to=3",
    ),
    "randint of a float": (
        lambda T: T.randint(0.5, (2,)),
        "randint(): argument 'high' (position 1) must be int, not float",
    ),
    "normal with a negative spread": (
        lambda T: T.normal(T.zeros(2), -T.ones(2)),
        "normal expects all elements of std >= 0.0",
    ),
    "drawing into a leaf": (
        lambda T: T.zeros(3, requires_grad=True).normal_(),
        "a leaf Variable that requires grad",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors(torch: Any, name: str) -> None:
    call, phrase = REFUSED[name]
    same(torch, lambda T: caught(lambda: call(T), phrase))


UNWRITABLE: dict[str, Callable[[Any], Any]] = {
    "a leaf": lambda T: T.zeros(3, requires_grad=True),
    "a view of a leaf": lambda T: T.zeros(3, requires_grad=True)[:2],
    "one element in three places": lambda T: T.zeros(1).expand(3),
}


@pytest.mark.parametrize("draw", ["uniform_", "normal_", "bernoulli_"])
@pytest.mark.parametrize("where", UNWRITABLE)
def test_a_refused_draw_leaves_the_generator_alone(torch: Any, draw: str, where: str) -> None:
    def program(T: Any) -> Any:
        return caught(lambda: getattr(UNWRITABLE[where](T), draw)()), T.rand(2)

    same(torch, program)


numbers = st.one_of(st.integers(-9, 9), st.floats(-9, 9).map(lambda x: round(x, 3)))


@examples(
    start=numbers,
    end=numbers,
    steps=st.integers(0, 70),
    dtype=st.sampled_from(["float32", "float64", "int64"]),
)
def test_linspace_to_the_last_bit(torch: Any, start: Any, end: Any, steps: int, dtype: str) -> None:
    def program(T: Any) -> Any:
        return T.linspace(start, end, steps, dtype=getattr(T, dtype)).tolist()

    # Where the last bit is another one, what is whole but for it truncates to another integer.
    to_the_bit = same_bits(torch)
    if dtype == "int64" and not to_the_bit:
        return
    ours, theirs = program(minigrad), answer(torch, program)
    compare(ours, theirs)
    assert ours == theirs or not to_the_bit


@examples(start=numbers, end=numbers, step=st.sampled_from([1, 2, 0.1, 0.3, 0.25, 0.7]))
def test_arange_to_the_last_bit(torch: Any, start: Any, end: Any, step: Any) -> None:
    def program(T: Any) -> Any:
        low, high = min(start, end), max(start, end)
        return [T.arange(low, high, step, dtype=d).tolist() for d in (T.float32, T.float64)]

    to_the_bit = same_bits(torch)
    ours, theirs = program(minigrad), answer(torch, program)
    compare(ours, theirs)
    assert ours == theirs or not to_the_bit


def test_default_device_on_the_cpu(torch: Any) -> None:
    def program(T: Any) -> list[str]:
        devices = [repr(T.get_default_device())]
        T.set_default_device("cpu")
        devices += [repr(T.get_default_device()), str(T.zeros(2).device)]
        with pytest.raises(RuntimeError, match="at start of device string: nowhere"):
            T.set_default_device("nowhere")
        T.set_default_device(None)
        return [*devices, repr(T.get_default_device())]

    assert same(torch, program)["returned"][0] == "device(type='cpu')"


def test_device_as_context_manager(torch: Any) -> None:
    def program(T: Any) -> Any:
        device = T.device("cpu")
        with device as entered:
            found = [entered is device, T.zeros(2).device, T.get_default_device()]
            with T.device("cpu"):
                found += [T.tensor(1).device, T.nn.Linear(1, 1).weight.device]
            found.append(T.get_default_device())
        with pytest.raises(RuntimeError) as error:
            device.__exit__(None, None, None)
        return [*map(str, found), str(error.value)]

    same(torch, program)


def test_block_of_device_places_tensors() -> None:
    with minigrad.device("cuda:1"), pytest.raises(RuntimeError):
        assert minigrad.get_default_device() == minigrad.device("cuda:1")
        minigrad.zeros(2)
    assert minigrad.zeros(2).device.type == "cpu"


class Rows:
    """A sequence of its own: it has a length and items, and no other method."""

    def __init__(self, *rows: Any) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Any:
        return self.rows[place]


class Closed(Rows):
    def __getitem__(self, place: int) -> Any:
        raise KeyError(place)


SEQUENCES: dict[str, Callable[[Any], Any]] = {
    "numbers": lambda T: T.tensor(Rows(1.0, 2.0)),
    "rows": lambda T: T.as_tensor(Rows(Rows(1, 2), [3, 4])),
    "tensors": lambda T: T.tensor(Rows(T.tensor(1), T.tensor(2))),
    "the old way": lambda T: T.Tensor(Rows(1.0, 2.0)),
    "nothing": lambda T: T.tensor(Rows()),
    "no items": lambda T: T.tensor(Closed(1.0, 2.0)),
    "no items inside": lambda T: T.tensor([Closed(1.0)]),
    "uneven": lambda T: T.tensor([Rows(1), Rows(1, 2)]),
    "a dictionary": lambda T: T.tensor({0: 1}),
    "too large": lambda T: T.empty([0, 4, 2**61]),
    "too large a stride": lambda T: T.empty_strided([8, 8], [2**61, 1], dtype=T.float64),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_of_its_own(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            return SEQUENCES[name](T)
        except (RuntimeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"

    same(torch, program)


MAKERS: dict[str, Callable[..., Any]] = {
    "arange": lambda T, **options: T.arange(2, **options),
    "as_tensor": lambda T, **options: T.as_tensor([1.0], **options),
    "as_tensor of an array": lambda T, **options: T.as_tensor(np.ones(2), **options),
    "as_tensor of a tensor": lambda T, **options: T.as_tensor(T.ones(2), **options),
    "empty": lambda T, **options: T.empty(2, **options),
    "empty_like": lambda T, **options: T.empty_like(T.ones(2), **options),
    "eye": lambda T, **options: T.eye(2, **options),
    "full": lambda T, **options: T.full((2,), 1.0, **options),
    "full_like": lambda T, **options: T.full_like(T.ones(2), 1.0, **options),
    "linspace": lambda T, **options: T.linspace(0, 1, 2, **options),
    "normal": lambda T, **options: T.normal(0.0, 1.0, (2,), **options),
    "ones": lambda T, **options: T.ones(2, **options),
    "ones_like": lambda T, **options: T.ones_like(T.ones(2), **options),
    "rand": lambda T, **options: T.rand(2, **options),
    "rand_like": lambda T, **options: T.rand_like(T.ones(2), **options),
    "randint": lambda T, **options: T.randint(0, 2, (2,), **options),
    "randint_like": lambda T, **options: T.randint_like(T.ones(2), 0, 2, **options),
    "randn": lambda T, **options: T.randn(2, **options),
    "randn_like": lambda T, **options: T.randn_like(T.ones(2), **options),
    "randperm": lambda T, **options: T.randperm(2, **options),
    "tensor": lambda T, **options: T.tensor([1.0], **options),
    "zeros": lambda T, **options: T.zeros(2, **options),
    "zeros_like": lambda T, **options: T.zeros_like(T.ones(2), **options),
    "new_full": lambda T, **options: T.ones(2).new_full((2,), 1.0, **options),
    "new_ones": lambda T, **options: T.ones(2).new_ones(2, **options),
    "new_tensor": lambda T, **options: T.ones(2).new_tensor([1.0], **options),
    "new_zeros": lambda T, **options: T.ones(2).new_zeros(2, **options),
    "to": lambda T, **options: T.ones(2).to(**options),
    "Linear": lambda T, **options: T.nn.Linear(1, 1, **options),
    "Embedding": lambda T, **options: T.nn.Embedding(1, 1, **options),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_the_options_of_a_new_tensor(torch: Any, maker: str) -> None:
    def program(T: Any) -> Any:
        def made(**options: Any) -> Any:
            T.manual_seed(0)
            found = MAKERS[maker](T, **options)
            found = found.weight if isinstance(found, T.nn.Module) else found
            return found.device.type, found.dtype, found.requires_grad

        options = [{"device": "cpu"}, {"dtype": T.float64}, {"dtype": T.float16}]
        if maker not in NO_REQUIRES_GRAD:
            options += [{"dtype": T.float32, "requires_grad": True}]
        refused = caught(lambda: made(device="foo"), "device string: foo")
        return [made(**each) for each in options], refused

    same(torch, program)


NO_REQUIRES_GRAD = {"to", "Linear", "Embedding", "as_tensor"} | {
    f"as_tensor of {what}" for what in ("an array", "a tensor")
}


def test_what_no_tensor_is_made_of(torch: Any) -> None:
    def program(T: Any) -> Any:
        endless: list[Any] = [0]
        endless.append(endless)
        return [
            caught(lambda: T.tensor(endless)),
            caught(lambda: T.as_tensor([[1, 2], endless])),
            caught(lambda: T.tensor(endless, dtype=T.float32)),
            caught(lambda: T.asarray(np.float64(0.5), copy=False)),
        ]

    same(torch, program)


def test_shapes_are_broadcast(torch: Any) -> None:
    def program(T: Any) -> Any:
        fine = [((2, 1), (3,)), ((2, 1), (3, 1, 5), 1), (), (T.Size([2]), [1]), ((1, 3), (0, 1))]
        found: list[Any] = [T.broadcast_shapes(*shapes) for shapes in fine]
        for shapes in (((2,), (3,)), (2, (3, 3)), ((2, -1),), ((2.5,),), ((2, 1), {})):
            try:
                T.broadcast_shapes(*shapes)
            except (RuntimeError, TypeError, ValueError) as error:
                found.append(f"{type(error).__name__}: {error}")
        return found

    same(torch, program)


def test_forked_draws(torch: Any) -> None:
    def program(T: Any) -> Any:
        T.manual_seed(3)
        with T.random.fork_rng():
            within = T.rand(2), T.randn(1)
        again = T.rand(2), T.randn(1)
        with T.random.fork_rng(enabled=False):
            T.rand(3)
        return within, again, T.rand(1)

    same(torch, program)


def test_processor_has_names_of_a_device(torch: Any) -> None:
    def program(T: Any) -> Any:
        C = T.cpu
        first = C.current_stream()
        with C.stream(C.Stream()), C.stream(None):
            inside = C.current_stream() is first
        C.set_device("cpu")
        C.synchronize()
        facts = C.is_available(), C.device_count(), C.current_device(), C.is_initialized()
        return inside, C.current_stream() is first, facts

    same(torch, program)
