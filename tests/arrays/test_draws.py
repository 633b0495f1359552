"""Draws are PyTorch's, bit by bit, and leave the generator in the same state.

Every test seeds both libraries, draws from both, and compares bytes, where PyTorch computes with
the instructions that minigrad follows; elsewhere numbers. Equal states after each draw mean that
any sequence of draws agrees; one test still draws such sequences.
"""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from minigrad.arrays import draws
from tests.numbers import TOLERANCES, compare
from tests.parity import same, same_bits
from tests.record import PRESENT, answer, examples, plain

FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["int8", "uint8", "int16", "int32", "int64"]
SHAPES = [
    (),
    *((n,) for n in (0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 1000)),
    (4, 0, 2),
    (3, 5),
    (5, 7),
]

Torch = Any


def doubled(numbers: np.ndarray) -> np.ndarray:
    """In a type in which a comparison of float16 rounds nothing."""
    return numbers.ravel().astype(np.float64)


@plain
@dataclass(frozen=True)
class Drawn:
    """As much of a draw as the record keeps: its first, mean and last number, and a checksum of the
    state in which it leaves the generator."""

    dtype: str
    shape: tuple[int, ...]
    sample: np.ndarray
    state: int

    @classmethod
    def of(cls, numbers: np.ndarray, state: np.ndarray) -> Drawn:
        flat = numbers.ravel()
        sample = np.array([flat[0], doubled(flat).mean(), flat[-1]] if flat.size else [], float)
        if numbers.dtype.kind == "f":
            sample = sample.astype(numbers.dtype)
        return cls(numbers.dtype.name, numbers.shape, sample, zlib.crc32(state.tobytes()))


class Both:
    """The two libraries side by side: each draw is made by both and must be the same."""

    def __init__(self, torch: Torch) -> None:
        self.torch = torch
        self.to_the_bit = same_bits(torch)
        self.seed(0)

    def seed(self, seed: int) -> None:
        if PRESENT:
            self.torch.default_generator.manual_seed(seed)
        draws.default_generator.manual_seed(seed)

    def same(self, ours: Callable[[], np.ndarray], theirs: Callable[[Torch], Any]) -> None:
        """Compare what the record keeps, and all the numbers where PyTorch is here to draw them."""
        all_of_them = []

        def drawn(T: Torch) -> Drawn:
            with warnings.catch_warnings():  # of ranges that a float type cannot count through
                warnings.simplefilter("ignore")
                all_of_them.append(theirs(T).numpy())
            return Drawn.of(all_of_them[0], T.get_rng_state().numpy())

        expected = answer(self.torch, drawn)
        mine = ours()
        compare(Drawn.of(mine, draws.get_rng_state()), expected)
        for numbers in all_of_them:
            self.same_numbers(mine, numbers)

    def same_numbers(self, drawn: np.ndarray, expected: np.ndarray) -> None:
        different = drawn.ravel().view(f"V{drawn.itemsize}") != expected.ravel().view(
            f"V{drawn.itemsize}"
        )
        if drawn.dtype.kind == "f" and not self.to_the_bit:
            relative, absolute = TOLERANCES[drawn.dtype.name]
            pair = map(doubled, (drawn, expected))
            different &= ~np.isclose(*pair, rtol=relative, atol=absolute)
        assert not different.any(), (drawn.ravel()[different][:5], expected.ravel()[different][:5])

    def draw(self, kind: str, name: str, shape: tuple[int, ...], p: float = 0.3) -> None:
        """One draw of a floating type."""
        type_ = np.dtype(name)
        ours: dict[str, Callable[[], np.ndarray]] = {
            "rand": lambda: draws.rand(shape, type_),
            "randn": lambda: draws.randn(shape, type_),
            "uniform": lambda: draws.uniform(shape, type_, -1.3, 1.3 + 7 * p),
            "normal": lambda: draws.normal(shape, type_, 1.1, 3 * p),
            "exponential": lambda: draws.exponential(shape, type_, p + 0.1),
            "cauchy": lambda: draws.cauchy(shape, type_, p, p + 0.1),
            "geometric": lambda: draws.geometric(shape, type_, 0.1 + 0.8 * p),
            "log_normal": lambda: draws.log_normal(shape, type_, p, 0.1 + 0.2 * p),
            "bernoulli": lambda: draws.bernoulli(np.full(shape, p, type_)),
            "randint": lambda: draws.randint(-30, 1000, shape, type_),
        }
        theirs: dict[str, Callable[[Torch, Any], Any]] = {
            "rand": lambda T, t: T.rand(shape, dtype=t),
            "randn": lambda T, t: T.randn(shape, dtype=t),
            "uniform": lambda T, t: T.empty(shape, dtype=t).uniform_(-1.3, 1.3 + 7 * p),
            "normal": lambda T, t: T.empty(shape, dtype=t).normal_(1.1, 3 * p),
            "exponential": lambda T, t: T.empty(shape, dtype=t).exponential_(p + 0.1),
            "cauchy": lambda T, t: T.empty(shape, dtype=t).cauchy_(p, p + 0.1),
            "geometric": lambda T, t: T.empty(shape, dtype=t).geometric_(0.1 + 0.8 * p),
            "log_normal": lambda T, t: T.empty(shape, dtype=t).log_normal_(p, 0.1 + 0.2 * p),
            "bernoulli": lambda T, t: T.bernoulli(T.full(shape, p, dtype=t)),
            "randint": lambda T, t: T.randint(-30, 1000, shape, dtype=t),
        }
        self.same(ours[kind], lambda T: theirs[kind](T, getattr(T, name)))


KINDS = ["rand", "randn", "uniform", "normal", "exponential", "bernoulli", "randint"]
HEAVY_TAILS = ["cauchy", "geometric", "log_normal"]


@pytest.fixture
def both(torch: Torch) -> Both:
    return Both(torch)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("kind", [*KINDS, *HEAVY_TAILS])
def test_floating_draws_of_every_shape(both: Both, kind: str, name: str) -> None:
    for seed in (0, 1, 42):
        for shape in SHAPES:
            both.seed(seed)
            both.draw(kind, name, shape)
            both.draw(kind, name, shape)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("kind", ["randn", "normal", "uniform", "exponential"])
def test_every_bit_of_many_draws(both: Both, kind: str, name: str) -> None:
    # Enough of them to meet the rare roundings: a quarter of a million.
    both.draw(kind, name, (250_003,))


@examples(
    sequence=st.lists(
        st.one_of(
            st.tuples(
                st.sampled_from(KINDS),
                st.sampled_from(FLOATS),
                st.sampled_from(SHAPES),
                st.floats(0, 1),
            ),
            st.integers(-(2**63), 2**64 - 1),
        ),
        max_size=12,
    )
)
def test_sequences_with_new_seeds_between(torch: Torch, sequence: list[Any]) -> None:
    both = Both(torch)
    for step in sequence:
        if isinstance(step, int):
            both.seed(step)  # also drops the spare normal number
        else:
            both.draw(*step)


def test_spare_normal_number_serves_the_next_draw(both: Both) -> None:
    for shape in [(3,), (16,), (1,), (2,), (0,), (1,), (15,)]:
        both.draw("randn", "float64", shape)
    both.draw("randn", "float32", (1,))
    both.draw("rand", "float32", (3,))
    both.draw("randn", "float32", (2,))
    assert draws.default_generator.spare_normal is not None
    both.seed(3)
    assert draws.default_generator.spare_normal is None


def test_a_seed_number(both: Both) -> None:
    both.same(
        lambda: np.array(draws.seed_number(), np.int64),
        lambda T: T.empty((), dtype=T.int64).random_(),
    )


def bernoulli_of_mkl(torch: Torch) -> bool:
    """Whether PyTorch asks MKL here for `bernoulli_` with one p: it then takes a single word."""
    states = []
    for draw in (
        lambda t, g: t.bernoulli_(0.5, generator=g),
        lambda t, g: t[0].random_(generator=g),
    ):
        generator = torch.Generator()
        draw(torch.empty(100), generator)
        states.append(generator.get_state())
    return bool(torch.equal(*states))


@pytest.mark.parametrize("name", [*INTEGERS, *FLOATS, "bool"])
def test_bernoulli_with_one_probability(both: Both, name: str) -> None:
    def theirs(T: Torch, p: float) -> Any:
        return T.bernoulli(T.full((100,), p, dtype=T.float64)).to(getattr(T, name))

    for p in (0.0, 0.25, 1.0):
        both.same(
            lambda p=p: draws.bernoulli_constant((100,), np.dtype(name), p),
            lambda T, p=p: theirs(T, p),
        )


def test_bernoulli_with_one_probability_in_place(pytorch: Torch) -> None:
    if bernoulli_of_mkl(pytorch):
        return
    for name in [*INTEGERS, *FLOATS, "bool"]:
        for p in (0.0, 0.25, 1.0):
            Both(pytorch).same(
                lambda n=name, p=p: draws.bernoulli_constant((100,), np.dtype(n), p),
                lambda T, n=name, p=p: T.empty(100, dtype=getattr(T, n)).bernoulli_(p),
            )


RANGES = [
    (0, 1),
    (0, 2),
    (-5, 5),
    (0, 2**28 - 1),
    (0, 2**28),
    (-3, 2**28 - 3),
    (0, 2**31),
    (0, 2**32 + 5),
    (-(2**40), 2**40),
    (-(2**63), 2**63 - 1),
]


@pytest.mark.parametrize("low, high", RANGES)
def test_randint_of_narrow_and_wide_ranges(both: Both, low: int, high: int) -> None:
    for shape in ((), (0,), (37,), (4, 5)):
        both.same(
            lambda shape=shape: draws.randint(low, high, shape, np.dtype("int64")),
            lambda T, shape=shape: T.randint(low, high, shape),
        )


@pytest.mark.parametrize("name", INTEGERS)
def test_randint_up_to_the_types_ends(both: Both, name: str) -> None:
    info = np.iinfo(name)
    low, high = int(info.min), min(int(info.max) + 1, 2**63 - 1)
    both.same(
        lambda: draws.randint(low, high, (50,), np.dtype(name)),
        lambda T: T.randint(low, high, (50,), dtype=getattr(T, name)),
    )


@examples(
    {"name": "float32", "low": 0, "width": 2**24, "shift": 0},
    name=st.sampled_from(FLOATS),
    low=st.integers(-(2**58), 2**58),
    width=st.integers(-2, 300) | st.integers(1, 2**58),
    shift=st.integers(0, 58),
)
def test_randint_of_floats(torch: Torch, name: str, low: int, width: int, shift: int) -> None:
    low >>= shift
    same_randint(torch, name, low, low + (width >> shift if width > 300 else width))


def same_randint(torch: Torch, name: str, *args: int) -> None:
    """Beyond what the type can count through, the ends of the range are its own numbers."""
    both = Both(torch)
    both.seed(7)

    def drawn() -> np.ndarray:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            numbers = draws.randint(*args, (20,), np.dtype(name))
        assert len(warned) == sum(
            abs(end) > 2 ** (np.finfo(name).nmant + 1) for end in (args[0], args[1] - 1)
        )
        return numbers

    def refused(T: Torch) -> str:
        with pytest.raises(RuntimeError) as error:
            T.randint(*args, (20,), dtype=getattr(T, name))
        return str(error.value)

    try:
        numbers = drawn()
    except RuntimeError as error:
        assert str(error) == answer(torch, refused)
    else:
        both.same(lambda: numbers, lambda T: T.randint(*args, (20,), dtype=getattr(T, name)))


@pytest.mark.parametrize("name", FLOATS)
def test_randint_at_largest_exact_float(torch: Torch, name: str) -> None:
    counted = 2 ** (np.finfo(name).nmant + 1)
    for high in (counted, counted + 1, counted + 2, counted + 3, 2 * counted + 1):
        for low in (0, -high, high - 3, -high - 1):
            same_randint(torch, name, low, high)


@pytest.mark.parametrize("name", ["int64", "int32", "uint8", "float32", "float16"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 256, 2000, 60_000])
def test_randperm(both: Both, n: int, name: str) -> None:
    if (n > 2000 and name in ("uint8", "float16")) or (n > 256 and name == "uint8"):

        def refused(T: Torch) -> None:
            with pytest.raises(RuntimeError):
                T.randperm(n, dtype=getattr(T, name))

        answer(both.torch, refused)
        with pytest.raises(RuntimeError):
            draws.randperm(n, np.dtype(name))
        return
    both.same(
        lambda: draws.randperm(n, np.dtype(name)),
        lambda T: T.randperm(n, dtype=getattr(T, name)),
    )


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_bernoulli_takes_one_probability_for_each(both: Both, name: str) -> None:
    p = np.linspace(0, 1, 101, dtype=name)
    both.same(lambda: draws.bernoulli(p), lambda T: T.bernoulli(T.from_numpy(p)))


@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("shape", [(5,), (4, 7), (1, 3)])
@pytest.mark.parametrize("count", [1, 2])
def test_multinomial(
    both: Both, shape: tuple[int, ...], count: int, replacement: bool, name: str
) -> None:
    for seed in range(20):
        weights = np.random.default_rng(seed).random(shape).astype(name)
        weights[..., 0] = 0
        both.seed(seed)
        both.same(
            lambda w=weights: draws.multinomial(w, count, replacement),
            lambda T, w=weights: T.multinomial(T.from_numpy(w), count, replacement),
        )


def test_rounding_never_reaches_the_upper_bound(both: Both) -> None:
    for name, high in (("float16", 1 + 2.0**-8), ("float32", 1 + 2.0**-22)):
        both.same(
            lambda n=name, h=high: draws.uniform((300,), np.dtype(n), 1.0, h),
            lambda T, n=name, h=high: T.empty(300, dtype=getattr(T, n)).uniform_(1, h),
        )


# --- Generators and their states


def test_a_generator_of_its_own(both: Both) -> None:
    ours, theirs = draws.Generator(), both.torch.Generator() if PRESENT else None
    assert ours.initial_seed() == answer(both.torch, lambda T: theirs.initial_seed())
    before = draws.get_rng_state()
    for shape in [(3,), (20,)]:
        both.same(
            lambda shape=shape: draws.randn(shape, np.dtype("float32"), ours),
            lambda T, shape=shape: T.randn(shape, generator=theirs),
        )
    assert (draws.get_rng_state() == before).all()
    assert ours.manual_seed(5) is ours
    assert str(ours.device) == "cpu"


@pytest.mark.parametrize("seed", [0, -1, -(2**63), 2**32 + 7, 2**64 - 1])
def test_seeds(torch: Torch, seed: int) -> None:
    both = Both(torch)
    both.seed(seed)
    assert draws.initial_seed() == answer(torch, lambda T: T.initial_seed())
    both.draw("rand", "float32", (3,))


def test_unseeded_generators_differ() -> None:
    assert draws.seed() == draws.initial_seed()
    assert draws.seed() != draws.seed()


@pytest.mark.parametrize("words", [0, 1, 3, 623, 624, 625])
def test_states_travel_between_the_libraries(pytorch: Torch, words: int) -> None:
    both = Both(pytorch)
    both.seed(11)
    both.draw("randint", "float32", (words,))
    both.draw("randn", "float32", (1,))
    state = draws.get_rng_state()
    both.draw("randn", "float32", (40,))
    draws.set_rng_state(both.torch.get_rng_state().numpy())
    both.draw("randn", "float32", (3,))
    draws.set_rng_state(state)
    both.torch.set_rng_state(both.torch.from_numpy(state.copy()))
    both.draw("randn", "float32", (3,))


# --- Errors

F32, I64, U8, BOOL = (np.dtype(n) for n in ("float32", "int64", "uint8", "bool"))


def weights(*values: float) -> np.ndarray:
    return np.array(values, F32)


ERRORS: list[tuple[Callable[[], Any], Callable[[Torch], Any]]] = [
    (lambda: draws.uniform((2,), F32, 2, 1), lambda t: t.empty(2).uniform_(2, 1)),
    (lambda: draws.uniform((2,), F32, -3e38, 3e38), lambda t: t.empty(2).uniform_(-3e38, 3e38)),
    (lambda: draws.uniform((2,), F32, -4e38, 0), lambda t: t.empty(2).uniform_(-4e38, 0)),
    (lambda: draws.uniform((2,), F32, np.nan, 0), lambda t: t.empty(2).uniform_(np.nan, 0)),
    (lambda: draws.rand((2,), I64), lambda t: t.rand(2, dtype=t.int64)),
    (lambda: draws.randn((2,), I64), lambda t: t.randn(2, dtype=t.int64)),
    (lambda: draws.normal((2,), F32, 0, -1), lambda t: t.empty(2).normal_(0, -1)),
    (lambda: draws.exponential((2,), F32, 0), lambda t: t.empty(2).exponential_(0)),
    (lambda: draws.exponential((2,), I64), lambda t: t.empty(2, dtype=t.int64).exponential_()),
    (lambda: draws.cauchy((2,), F32, 0, 0), lambda t: t.empty(2).cauchy_(0, 0)),
    (lambda: draws.cauchy((2,), I64, 0, 1), lambda t: t.empty(2, dtype=t.int64).cauchy_()),
    (lambda: draws.geometric((2,), F32, 0), lambda t: t.empty(2).geometric_(0)),
    (lambda: draws.geometric((2,), BOOL, 0.5), lambda t: t.empty(2, dtype=t.bool).geometric_(0.5)),
    (lambda: draws.log_normal((2,), F32, 0, 0), lambda t: t.empty(2).log_normal_(0, 0)),
    (lambda: draws.log_normal((2,), I64, 0, 1), lambda t: t.empty(2, dtype=t.int64).log_normal_()),
    (lambda: draws.bernoulli(weights(1.5)), lambda t: t.bernoulli(t.tensor([1.5]))),
    (lambda: draws.bernoulli(np.ones(1, I64)), lambda t: t.bernoulli(t.ones(1, dtype=t.int64))),
    (lambda: draws.bernoulli_constant((2,), F32, 1.5), lambda t: t.empty(2).bernoulli_(1.5)),
    (lambda: draws.randint(5, 5, (2,), I64), lambda t: t.randint(5, 5, (2,))),
    (lambda: draws.randint(0, 300, (2,), U8), lambda t: t.randint(0, 300, (2,), dtype=t.uint8)),
    (lambda: draws.randint(-1, 3, (2,), U8), lambda t: t.randint(-1, 3, (2,), dtype=t.uint8)),
    (lambda: draws.randint(0, 3, (2,), BOOL), lambda t: t.randint(0, 3, (2,), dtype=t.bool)),
    (lambda: draws.randperm(-1, I64), lambda t: t.randperm(-1)),
    (lambda: draws.randperm(2, BOOL), lambda t: t.randperm(2, dtype=t.bool)),
    (lambda: draws.randperm(300, U8), lambda t: t.randperm(300, dtype=t.uint8)),
    (
        lambda: draws.randperm(3000, np.dtype("float16")),
        lambda t: t.randperm(3000, dtype=t.float16),
    ),
    (lambda: draws.multinomial(weights(0, 0), 1), lambda t: t.multinomial(t.zeros(2), 1)),
    (lambda: draws.multinomial(weights(-1, 2), 1), lambda t: t.multinomial(t.tensor([-1.0, 2]), 1)),
    (lambda: draws.multinomial(weights(1, 2), 3), lambda t: t.multinomial(t.ones(2), 3)),
    (lambda: draws.multinomial(weights(1, 2), 0), lambda t: t.multinomial(t.ones(2), 0)),
    (
        lambda: draws.multinomial(np.ones(2, I64), 1),
        lambda t: t.multinomial(t.ones(2, dtype=t.int64), 1),
    ),
    (lambda: draws.multinomial(np.ones((), F32), 1), lambda t: t.multinomial(t.tensor(1.0), 1)),
    (lambda: draws.manual_seed(2**64), lambda t: t.manual_seed(2**64)),
    (lambda: draws.Generator().manual_seed(3.5), lambda t: t.Generator().manual_seed(3.5)),
    (
        lambda: draws.set_rng_state(np.zeros(3, U8)),
        lambda t: t.set_rng_state(t.zeros(3, dtype=t.uint8)),
    ),
    (
        lambda: draws.set_rng_state(np.zeros(5056, U8)),
        lambda t: t.set_rng_state(t.zeros(5056, dtype=t.uint8)),
    ),
    (
        lambda: draws.set_rng_state(np.zeros(5056, F32)),
        lambda t: t.set_rng_state(t.zeros(5056)),
    ),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors_are_pytorchs_and_change_nothing(torch: Torch, number: int) -> None:
    ours, theirs = ERRORS[number]

    def refusal(T: Torch) -> tuple[str, str]:
        with pytest.raises(Exception) as error:
            theirs(T)
        return type(error.value).__name__, str(error.value)

    expected = answer(torch, refusal)
    before = draws.get_rng_state()
    with pytest.raises(Exception) as error:
        ours()
    assert type(error.value).__name__ == expected[0]
    assert expected[1].startswith(str(error.value))
    assert (draws.get_rng_state() == before).all()


def test_randperm_says_where_it_ends() -> None:
    with pytest.raises(ValueError, match="limited to n"):
        draws.randperm(2**31, I64)


def test_there_is_no_generator_on_a_gpu() -> None:
    with pytest.raises(RuntimeError, match="Device type cuda is not supported"):
        draws.Generator("cuda")


def test_bounds_beyond_exact_floats_warn(torch: Any) -> None:
    def program(T: Any) -> Any:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            T.randint(0, 2**24 + 10, (2,), dtype=T.float32)
            T.randint(-(2**54), 2**54, (2,), dtype=T.float64)
        return [str(warning.message).partition(" (Triggered")[0] for warning in said]

    same(torch, program)
